//! Lines of LaTeX and Typst that put a picture into a document.

use super::style::Millimetres;

/// A picture in a file, as a document refers to it.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The file, as the document names it.
    pub file: String,
    /// The width on paper.
    pub width: Millimetres,
    /// The line below the picture; none if blank.
    pub caption: String,
    /// What the picture shows, in words, for readers who do not see it.
    pub alt: String,
}

/// The lines that put a figure into a LaTeX document. An SVG file needs the package
/// `svg`, which cannot pass on the words for it, so they are a comment there; other
/// files need `graphicx` of 2021 or later.
#[must_use]
pub fn latex(figure: &Figure) -> String {
    let width = figure.width.get();
    let file = &figure.file;
    let alt = latex_text(&figure.alt);
    let include = match file.strip_suffix(".svg") {
        Some(stem) => format!(
            "  % {alt}\n  \\includesvg[width={width}mm,inkscapelatex=false]{{{stem}}} % \\usepackage{{svg}}\n"
        ),
        None => format!(
            "  \\includegraphics[width={width}mm,alt={{{alt}}}]{{{file}}} % \\usepackage{{graphicx}}\n"
        ),
    };
    let caption = latex_text(&figure.caption);
    let caption = if caption.is_empty() {
        String::new()
    } else {
        format!("  \\caption{{{caption}}}\n")
    };
    format!("\\begin{{figure}}\n  \\centering\n{include}{caption}\\end{{figure}}\n")
}

/// The lines that put a figure into a Typst document.
#[must_use]
pub fn typst(figure: &Figure) -> String {
    let width = figure.width.get();
    let file = typst_string(&figure.file);
    let alt = typst_string(&figure.alt);
    let caption = match figure.caption.trim() {
        "" => String::new(),
        caption => format!("  caption: {},\n", typst_string(caption)),
    };
    format!("#figure(\n  image({file}, width: {width}mm, alt: {alt}),\n{caption})\n")
}

/// The text with everything escaped that means something to LaTeX, in one line.
fn latex_text(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let mut escaped = String::new();
    for letter in words.join(" ").chars() {
        match letter {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '{' | '}' | '$' | '&' | '#' | '_' | '%' => escaped.extend(['\\', letter]),
            letter if letter.is_control() => {}
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// The text as a string of Typst's, in one line.
fn typst_string(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    let text = words.join(" ").replace(char::is_control, "");
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(file: &str) -> Figure {
        Figure {
            file: file.to_owned(),
            width: Millimetres::new(49.5).expect("a length in range"),
            caption: "100% \"sound\"".to_owned(),
            alt: "Hole: c3_\\\nBlack to move".to_owned(),
        }
    }

    #[test]
    fn latex_is_escaped() {
        let expected = "\\begin{figure}\n  \\centering\n  \\includegraphics[width=49.5mm,alt={Hole: \
            c3\\_\\textbackslash{} Black to move}]{a.png} % \\usepackage{graphicx}\n  \
            \\caption{100\\% \"sound\"}\n\\end{figure}\n";
        assert_eq!(latex(&figure("a.png")), expected);
        let svg = latex(&figure("a.svg"));
        assert!(svg.contains("\\includesvg[width=49.5mm,inkscapelatex=false]{a} "));
    }

    #[test]
    fn typst_is_escaped() {
        let expected = "#figure(\n  image(\"a.svg\", width: 49.5mm, alt: \"Hole: c3_\\\\ Black to \
            move\"),\n  caption: \"100% \\\"sound\\\"\",\n)\n";
        assert_eq!(typst(&figure("a.svg")), expected);
    }
}
