//! Reading a PDF back with another library: text page by page, links, bookmarks.

use std::collections::{BTreeSet, HashMap};

use hayro_syntax::Pdf;
use hayro_syntax::content::UntypedIter;
use hayro_syntax::object::{Array, Dict, Name, Number, Object, Stream, String as Text};
use hayro_syntax::page::Page;

/// Opens the file.
pub fn open(bytes: &[u8]) -> Pdf {
    Pdf::new(bytes.to_vec()).expect("a sound PDF")
}

/// The text of each page: what stands on one baseline is one line.
pub fn texts(pdf: &Pdf) -> Vec<String> {
    pdf.pages().iter().map(text_of).collect()
}

/// How many curves are drawn, on pages and in the forms that they show.
pub fn curves(pdf: &Pdf) -> usize {
    fn count(mut operations: UntypedIter<'_>) -> usize {
        let mut curves = 0;
        while let Some(operation) = operations.next() {
            curves += usize::from(matches!(&operation.operator[..], b"c" | b"v" | b"y"));
        }
        curves
    }
    let pages = pdf.pages().iter().map(|page| count(page.operations()));
    let forms = pdf.objects().into_iter().filter_map(|object| {
        let stream = object.into_stream()?;
        let kind = stream.dict().get::<Name<'_>>("Subtype")?;
        let form = kind.as_str() == "Form";
        form.then(|| count(UntypedIter::new(&stream.decoded().expect("a sound stream"))))
    });
    pages.chain(forms).sum()
}

/// The operators of all pages.
pub fn operators(pdf: &Pdf) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for page in pdf.pages().iter() {
        let mut operations = page.operations();
        while let Some(operation) = operations.next() {
            found.insert(String::from_utf8_lossy(operation.operator).into_owned());
        }
    }
    found
}

/// How much each picture is enlarged, in the order of the pages: the first number of every
/// transformation that scales.
pub fn scales(pdf: &Pdf) -> Vec<f64> {
    let mut found = Vec::new();
    for page in pdf.pages().iter() {
        let mut operations = page.operations();
        while let Some(operation) = operations.next() {
            if &operation.operator[..] != b"cm" {
                continue;
            }
            if let Some(Object::Number(scale)) = operation.operands().next() {
                let scale = scale.as_f64();
                if (scale - 1.0).abs() > 1e-6 {
                    found.push(scale);
                }
            }
        }
    }
    found
}

/// How often a link leads from a page to another place of the file.
pub fn links(pdf: &Pdf) -> usize {
    let annotations = |page: &Page<'_>| {
        let list = page.raw().get::<Array<'_>>("Annots");
        list.map_or(0, |list| list.iter::<Dict<'_>>().count())
    };
    pdf.pages().iter().map(annotations).sum()
}

/// Where the links of each page are: left, top, right and bottom, from the upper left corner.
pub fn areas(pdf: &Pdf) -> Vec<Vec<[f64; 4]>> {
    let areas = |page: &Page<'_>| {
        let height = f64::from(page.base_dimensions().1);
        let list = page.raw().get::<Array<'_>>("Annots");
        let list: Vec<Dict<'_>> = list.map_or(Vec::new(), |list| list.iter().collect());
        let area = |link: &Dict<'_>| {
            let edges: Array<'_> = link.get("Rect").expect("an area");
            let edges: Vec<f64> = edges.iter::<Number>().map(|it| it.as_f64()).collect();
            [edges[0], height - edges[3], edges[2], height - edges[1]]
        };
        list.iter().map(area).collect()
    };
    pdf.pages().iter().map(areas).collect()
}

/// The titles of all bookmarks, in the order of the file.
pub fn bookmarks(pdf: &Pdf) -> Vec<String> {
    let mut found = Vec::new();
    for object in pdf.objects() {
        if let Object::Dict(dict) = object
            && dict.contains_key("Dest")
            && let Some(title) = dict.get::<Text>("Title")
        {
            found.push(decode(title.as_bytes()));
        }
    }
    found
}

/// A text string of a PDF.
pub fn decode(bytes: &[u8]) -> String {
    match bytes.strip_prefix(&[0xfe, 0xff]) {
        Some(wide) => {
            let units: Vec<u16> = wide
                .chunks_exact(2)
                .map(|pair| u16::from_be_bytes([pair[0], pair[1]]))
                .collect();
            String::from_utf16_lossy(&units)
        }
        None => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn text_of(page: &Page<'_>) -> String {
    let (mut text, mut last) = (String::new(), None);
    for (_, height, run) in words_of(page) {
        if let Some(before) = last {
            let same: bool = f64::abs(before - height) < 0.01;
            let gap = if same { " " } else { "\n" };
            text.truncate(text.trim_end_matches(' ').len());
            text += gap;
        }
        last = Some(height);
        text += &run;
    }
    // A run may begin with the space that parts it from the one before.
    text.replace("  ", " ")
}

/// What is set on each page, and where: from the left and from above.
pub fn words(pdf: &Pdf) -> Vec<Vec<(f64, f64, String)>> {
    pdf.pages().iter().map(words_of).collect()
}

fn words_of(page: &Page<'_>) -> Vec<(f64, f64, String)> {
    let mut maps: HashMap<String, HashMap<u16, String>> = HashMap::new();
    let (mut font, mut left, mut height) = (String::new(), 0.0, 0.0);
    let mut runs = Vec::new();
    let mut operations = page.operations();
    while let Some(operation) = operations.next() {
        let operands: Vec<&Object<'_>> = operation.operands().collect();
        match &operation.operator[..] {
            b"Tf" => {
                let Some(Object::Name(name)) = operands.first() else {
                    panic!("a font has a name");
                };
                name.as_str().clone_into(&mut font);
                maps.entry(font.clone())
                    .or_insert_with(|| map_of(page, name));
            }
            b"Tm" => {
                let [Object::Number(x), Object::Number(y)] = operands[4..] else {
                    panic!("a text matrix has six numbers");
                };
                (left, height) = (Number::as_f64(x), Number::as_f64(y));
            }
            b"TJ" | b"Tj" => {
                let mut text = String::new();
                let parts: Vec<Object<'_>> = match operands.first() {
                    Some(Object::Array(parts)) => parts.iter().collect(),
                    Some(&one) => vec![one.clone()],
                    None => panic!("a text is shown"),
                };
                for part in parts {
                    let Object::String(codes) = part else {
                        continue;
                    };
                    for pair in codes.as_bytes().chunks_exact(2) {
                        let code = u16::from_be_bytes([pair[0], pair[1]]);
                        text += maps[&font].get(&code).map_or("\u{fffd}", String::as_str);
                    }
                }
                runs.push((left, height, text));
            }
            _ => {}
        }
    }
    runs
}

/// What the codes of a font mean, by its `ToUnicode` table.
fn map_of(page: &Page<'_>, name: &Name<'_>) -> HashMap<u16, String> {
    let font = page.resources().get_font(name).expect("the font is there");
    let table = font
        .get::<Stream<'_>>("ToUnicode")
        .expect("text can be copied");
    let table = table.decoded().expect("a sound stream");
    let table = String::from_utf8_lossy(&table).into_owned();
    let mut map = HashMap::new();
    for line in table.lines() {
        let Some((code, text)) = line.split_once("> <") else {
            continue;
        };
        let (code, text) = (code.trim_start_matches('<'), text.trim_end_matches('>'));
        if code.len() != 4 || text.len() % 4 != 0 {
            continue;
        }
        let units: Vec<u16> = (0..text.len())
            .step_by(4)
            .filter_map(|at| u16::from_str_radix(&text[at..at + 4], 16).ok())
            .collect();
        if let Ok(code) = u16::from_str_radix(code, 16) {
            map.insert(code, String::from_utf16_lossy(&units));
        }
    }
    // The range of all codes looks like an entry.
    map.remove(&0);
    map
}
