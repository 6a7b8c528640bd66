//! LaTeX and Typst code that includes a picture in a document.

use super::style::Millimetres;

/// A picture file to be included in a document. The picture has its words already: there is no
/// caption.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The path of the file, relative to the document, without control characters.
    pub file: String,
    /// The width on paper.
    pub width: Millimetres,
    /// The alternative text, for readers who cannot see the picture.
    pub alt: String,
}

/// LaTeX code that includes a figure. An SVG file needs the package `svg`, which takes no
/// alternative text: it becomes a comment. Other files need `graphicx` of 2021 or later.
pub fn latex(figure: &Figure) -> String {
    let width = figure.width.get();
    let file = latex_path(&figure.file);
    let alt = latex_text(&figure.alt);
    let include = match file.strip_suffix(".svg") {
        Some(stem) => format!(
            "  % {alt}\n  \\includesvg[width={width}mm,inkscapelatex=false]{{{stem}}} % \\usepackage{{svg}}\n"
        ),
        None => format!(
            "  \\includegraphics[width={width}mm,alt={{{alt}}}]{{{file}}} % \\usepackage{{graphicx}}\n"
        ),
    };
    format!("\\begin{{figure}}\n  \\centering\n{include}\\end{{figure}}\n")
}

/// Typst code that includes a figure.
pub fn typst(figure: &Figure) -> String {
    let width = figure.width.get();
    let file = typst_string(&figure.file);
    let alt = typst_string(&in_one_line(&figure.alt));
    format!("#figure(\n  image({file}, width: {width}mm, alt: {alt}),\n)\n")
}

/// The text with single spaces between its words, and without control characters.
fn in_one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    words.join(" ").replace(char::is_control, "")
}

/// The text in one line, with all characters escaped that are special in LaTeX.
fn latex_text(text: &str) -> String {
    let mut escaped = String::new();
    for letter in in_one_line(text).chars() {
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => escaped.extend(['\\', letter]),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The path of a file, with all characters escaped that are special in LaTeX: macros that
/// expand to the plain character, since a path is not typeset. A space is one that LaTeX would
/// otherwise skip, after another space or a macro.
fn latex_path(path: &str) -> String {
    let mut escaped = String::new();
    for letter in path.chars() {
        match letter {
            '%' => escaped.push_str("\\csname @percentchar\\endcsname "),
            '{' => escaped.push_str("\\csname @charlb\\endcsname "),
            '}' => escaped.push_str("\\csname @charrb\\endcsname "),
            '\\' => escaped.push_str("\\csname @backslashchar\\endcsname "),
            ' ' if escaped.is_empty() || escaped.ends_with(' ') => {
                escaped.push_str("\\csname space\\endcsname ");
            }
            '~' | '^' | '$' | '&' | '#' | '_' => {
                escaped.push_str("\\string");
                escaped.push(letter);
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The text as a Typst string literal.
fn typst_string(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
