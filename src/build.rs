//! Lists the themes before the crate is built: every file in `src/analysis/themes` but
//! `mod.rs` and `story.rs` is one, so a new theme is a new file and nothing else.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

/// Files in the folder that are no themes.
const OTHERS: [&str; 2] = ["mod", "story"];

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo names the package's folder");
    let folder = Path::new(&root).join("src/analysis/themes");
    println!("cargo::rerun-if-changed={}", folder.display());
    let mut names: Vec<String> = fs::read_dir(&folder)
        .expect("the folder of themes")
        .map(|entry| entry.expect("an entry of the folder of themes").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .filter_map(|path| Some(path.file_stem()?.to_str()?.to_owned()))
        .filter(|name| !OTHERS.contains(&name.as_str()))
        .collect();
    names.sort();
    let (mut modules, mut list) = (String::new(), String::new());
    for name in &names {
        let path = folder.join(name).with_extension("rs").display().to_string();
        let _ = writeln!(modules, "#[path = {path:?}]\nmod {name};");
        let _ = writeln!(list, "    {name}::THEME,");
    }
    let text =
        format!("{modules}\n/// All themes, by name.\npub const ALL: &[Theme] = &[\n{list}];\n");
    let out = env::var("OUT_DIR").expect("cargo names the folder for output");
    fs::write(Path::new(&out).join("themes.rs"), text).expect("a writable folder for output");
}
