//! The files of the page, which are part of the program.

use std::fmt::Write;

use crate::book::{escape, harmless, hash};

/// The questions and answers, in the terms of `OpenAPI`.
pub(super) const OPENAPI: &str = include_str!("openapi.json");

const SCRIPT: &str = "text/javascript; charset=utf-8";

const FILES: [(&str, &str, &str); 10] = [
    (
        "",
        "text/html; charset=utf-8",
        include_str!("web/page.html"),
    ),
    (
        "page.css",
        "text/css; charset=utf-8",
        include_str!("web/page.css"),
    ),
    ("app.js", SCRIPT, include_str!("web/app.js")),
    ("api.js", SCRIPT, include_str!("web/api.js")),
    ("board.js", SCRIPT, include_str!("web/board.js")),
    ("values.js", SCRIPT, include_str!("web/values.js")),
    ("desk.js", SCRIPT, include_str!("web/desk.js")),
    ("umpire.js", SCRIPT, include_str!("web/umpire.js")),
    ("mining.js", SCRIPT, include_str!("web/mining.js")),
    ("dom.js", SCRIPT, include_str!("web/dom.js")),
];

/// The type and the text of a file.
pub(super) fn file(path: &str) -> Option<(&'static str, &'static str)> {
    let found = FILES.iter().find(|(name, ..)| *name == path)?;
    Some((found.1, found.2))
}

/// What answers in a page without the program, in place of `api.js`.
const STILL: &str = include_str!("web/still.js");

/// The modules in an order in which each follows those that it imports.
const ORDER: [&str; 8] = [
    "dom", "api", "board", "values", "desk", "umpire", "mining", "app",
];

/// The page as one document that answers from its own data, which is JSON.
pub(super) fn one_file(title: &str, data: &str) -> String {
    let mut script = String::from("\"use strict\";\nconst modules = {};\n");
    for name in ORDER {
        let text = match name {
            "api" => STILL,
            name => file(&format!("{name}.js")).map_or("", |(_, text)| text),
        };
        script += &as_function(name, text);
    }
    let style = file("page.css").map_or("", |(_, text)| text);
    let policy = format!(
        "default-src 'none'; img-src data:; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'",
        hash(style),
        hash(&script)
    );
    let page = file("").map_or("", |(_, text)| text);
    let charset = "<meta charset=\"utf-8\">\n";
    let parts = [
        (
            charset,
            format!(
                "{charset}<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n"
            ),
        ),
        (
            "<title>tesuji explore</title>",
            format!("<title>{}</title>", escape(title)),
        ),
        (
            "<link rel=\"stylesheet\" href=\"page.css\">",
            format!("<style>{style}</style>"),
        ),
        (
            "<script type=\"module\" src=\"app.js\"></script>\n",
            String::new(),
        ),
        (
            "</body>",
            format!(
                "<script type=\"application/json\" id=\"data\">{}</script>\n<script>{script}</script>\n</body>",
                harmless(data)
            ),
        ),
    ];
    let mut whole = String::new();
    let mut rest = page;
    for (place, part) in parts {
        // What is put in is not looked at again.
        if let Some((before, after)) = rest.split_once(place) {
            whole += before;
            whole += &part;
            rest = after;
        }
    }
    whole + rest
}

/// A module as a function that gives what the module exports. Its imports and exports must
/// each be a line, as they are in these modules.
fn as_function(name: &str, text: &str) -> String {
    let mut body = String::new();
    let mut exports = Vec::new();
    for line in text.lines() {
        if let Some((what, from)) = line
            .strip_prefix("import ")
            .and_then(|it| it.split_once(" from \"./"))
        {
            let module = from.trim_end_matches(".js\";");
            let what = what.trim_start_matches("* as ");
            let _ = writeln!(body, "const {what} = modules.{module};");
            continue;
        }
        let exported = line.strip_prefix("export ");
        if let Some(line) = exported {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            let mut names =
                words.filter(|word| !["", "const", "async", "function", "class"].contains(word));
            exports.extend(names.next());
        }
        body += exported.unwrap_or(line);
        body.push('\n');
    }
    format!(
        "modules.{name} = (() => {{\n{body}return {{ {} }};\n}})();\n",
        exports.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_small() {
        let bytes: usize = FILES.iter().map(|(_, _, text)| text.len()).sum::<usize>() + STILL.len();
        assert!(bytes <= 150_000, "{bytes} bytes");
    }

    #[test]
    fn modules_become_functions() {
        let module = "import { a, b } from \"./dom.js\";\nimport * as c from \"./desk.js\";\nexport const x = a;\nexport async function y() {}\nexport class Z {}\n";
        assert_eq!(
            as_function("m", module),
            "modules.m = (() => {\nconst { a, b } = modules.dom;\nconst c = modules.desk;\nconst x = a;\nasync function y() {}\nclass Z {}\nreturn { x, y, Z };\n})();\n"
        );
    }

    #[test]
    fn the_page_loads_nothing_from_elsewhere() {
        for (name, _, text) in FILES {
            let allowed = text.replace("http://www.w3.org/2000/svg", "");
            assert!(!allowed.contains("://"), "{name}");
            assert!(
                !text.contains("innerHTML") && !text.contains("eval("),
                "{name}"
            );
        }
    }
}
