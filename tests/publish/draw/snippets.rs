//! Code that includes a picture in a document.

use tesuji::draw::{Figure, Millimetres, latex, typst};

fn figure(file: &str) -> Figure {
    Figure {
        file: file.to_owned(),
        width: Millimetres::try_from(49.5).expect("a length in range"),
        alt: "Hole: c3_\\\n100% \"sound\"".to_owned(),
    }
}

#[test]
fn latex_is_escaped() {
    let expected = "\\begin{figure}\n  \\centering\n  \\includegraphics[width=49.5mm,alt={Hole: \
        c3\\_\\textbackslash{} 100\\% \"sound\"}]{a.png} % \\usepackage{graphicx}\n\
        \\end{figure}\n";
    assert_eq!(latex(&figure("a.png")), expected);
    let svg = latex(&figure("a.svg"));
    assert!(svg.contains("\\includesvg[width=49.5mm,inkscapelatex=false]{a} "));
}

#[test]
fn names_of_files_cannot_run_in_a_document() {
    let text = latex(&figure("a_1}\\input{x}%#.png"));
    let expected = "]{a\\string_1\\csname @charrb\\endcsname \\csname @backslashchar\\endcsname \
        input\\csname @charlb\\endcsname x\\csname @charrb\\endcsname \\csname \
        @percentchar\\endcsname \\string#.png} %";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn spaces_in_names_of_files_stay() {
    let space = "\\csname space\\endcsname ";
    let text = latex(&figure(" a  b% c.png"));
    let percent = "\\csname @percentchar\\endcsname ";
    assert!(
        text.contains(&format!("]{{{space}a {space}b{percent}{space}c.png}}")),
        "{text}"
    );
    assert!(typst(&figure("a  b.svg")).contains("image(\"a  b.svg\","));
}

#[test]
fn typst_is_escaped() {
    let expected = "#figure(\n  image(\"a.svg\", width: 49.5mm, alt: \"Hole: c3_\\\\ 100% \
        \\\"sound\\\"\"),\n)\n";
    assert_eq!(typst(&figure("a.svg")), expected);
}
