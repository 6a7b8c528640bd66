//! Questions and answers are what `openapi.json` says, and nothing else.

use serde_json::{Value as Json, json};
use tesuji::analysis::{Fault, Soundness};
use tesuji::draw::Style;
use tesuji::mine::Tier;
use tesuji::session::Operation;

use super::client::Running;

/// What is wrong with a value by a schema; only what `openapi.json` uses is understood.
fn fault(whole: &Json, schema: &Json, value: &Json, place: &str) -> Option<String> {
    if let Some(name) = schema.get("$ref").and_then(Json::as_str) {
        let schema = whole
            .pointer(name.trim_start_matches('#'))
            .expect("a schema that is there");
        return fault(whole, schema, value, place);
    }
    let faults = |of: &str| {
        let schemas = schema[of].as_array().into_iter().flatten();
        let faults = schemas.map(|schema| fault(whole, schema, value, place));
        faults.collect::<Vec<_>>()
    };
    let all = faults("allOf").into_iter().flatten().next();
    if all.is_some() {
        return all;
    }
    let one = faults("oneOf");
    let fitting = one.iter().filter(|fault| fault.is_none()).count();
    if !one.is_empty() && fitting != 1 {
        let faults: Vec<_> = one.into_iter().flatten().collect();
        let faults = faults.join("; or ");
        return Some(format!("{place}: {fitting} descriptions fit: {faults}"));
    }
    if let Some(words) = schema.get("enum").and_then(Json::as_array) {
        return (!words.contains(value))
            .then(|| format!("{place}: {value} is not one of {words:?}"));
    }
    let kind = match value {
        Json::Null => "null",
        Json::Bool(_) => "boolean",
        Json::Number(number) if number.is_f64() => "number",
        Json::Number(_) => "integer",
        Json::String(_) => "string",
        Json::Array(_) => "array",
        Json::Object(_) => "object",
    };
    let fits = match &schema["type"] {
        Json::Null => true,
        Json::String(name) => name == kind || (name == "number" && kind == "integer"),
        names => names
            .as_array()
            .is_some_and(|names| names.contains(&json!(kind))),
    };
    if !fits {
        return Some(format!("{place}: {value} is not {}", schema["type"]));
    }
    let size = match value {
        Json::Number(number) => number.as_f64(),
        Json::String(text) => Some(text.chars().count() as f64),
        Json::Array(values) => Some(values.len() as f64),
        _ => None,
    };
    let limit = |names: [&str; 3]| names.iter().find_map(|name| schema[*name].as_f64());
    let least = limit(["minimum", "minItems", "minLength"]);
    let most = limit(["maximum", "maxItems", "maxLength"]);
    if size.is_some_and(|size| {
        least.is_some_and(|least| size < least) || most.is_some_and(|most| size > most)
    }) {
        return Some(format!("{place}: {value} is not {least:?} to {most:?}"));
    }
    if let (Some(items), Some(values)) = (schema.get("items"), value.as_array()) {
        let mut each = values.iter().enumerate();
        return each
            .find_map(|(number, value)| fault(whole, items, value, &format!("{place}[{number}]")));
    }
    let object = value.as_object()?;
    let known = schema["properties"].as_object();
    for name in schema["required"].as_array().into_iter().flatten() {
        if !object.contains_key(name.as_str()?) {
            return Some(format!("{place}: {name} is missing"));
        }
    }
    object.iter().find_map(|(name, value)| {
        let inner = format!("{place}.{name}");
        match known.and_then(|known| known.get(name)) {
            Some(schema) => fault(whole, schema, value, &inner),
            None if schema["additionalProperties"] == json!(false) => {
                Some(format!("{inner} is not described"))
            }
            None => None,
        }
    })
}

/// Values just beyond what a field of a request may be. `value` is one that it may be.
fn beyond(schema: &Json, value: &Json) -> Vec<Json> {
    let mut found = Vec::new();
    if let Some(least) = schema["minimum"].as_i64() {
        found.push(json!(least - 1));
    }
    if let Some(most) = schema["maximum"].as_u64() {
        found.push(json!(most + 1));
    }
    let length = |name: &str| usize::try_from(schema[name].as_u64()? + 1).ok();
    found.extend(length("maxLength").map(|length| json!("x".repeat(length))));
    found.extend(length("maxItems").map(|length| json!(vec![&value[0]; length])));
    if schema.get("enum").is_some() {
        found.push(json!("surprise"));
    }
    let kinds = &schema["type"];
    if kinds.is_string() {
        found.push(Json::Null);
    }
    if !kinds.to_string().contains("boolean") {
        found.push(json!(true));
    }
    found
}

#[test]
fn answers_are_what_the_description_says() {
    let it = Running::new("ostle:3x3,pieces=2,losses=2");
    let hidden = Running::new("tsuitate");
    let whole: Json = serde_json::from_str(&it.get("api/openapi.json").1).unwrap();
    let position = "1ww/1o1/bb1 b -";
    let condition = "outcome = 'win' AND plies > 3 AND n_best = 1";
    let found = it.ask(
        "compose",
        &json!({ "pattern": "???/???/???", "condition": condition, "limit": 2 }),
    );
    let questions = [
        ("board", json!({ "position": position })),
        ("arrange", json!({ "things": [] })),
        ("pattern", json!({ "things": [], "open": [[0, 0]] })),
        ("play", json!({ "position": position, "move": "a1U" })),
        ("evaluate", json!({ "position": position })),
        ("evaluate", json!({ "positions": [position, "initial"] })),
        ("solution", json!({ "position": position })),
        ("check", json!({ "position": position })),
        ("neighbours", json!({ "position": position })),
        (
            "compose",
            json!({ "pattern": "???/???/???", "condition": condition, "limit": 2 }),
        ),
        ("mine", json!({ "condition": condition, "limit": 2 })),
        (
            "export",
            json!({ "format": "csv", "puzzles": found["puzzles"] }),
        ),
        (
            "umpire",
            json!({ "position": "", "tries": ["2d1e", "R*2c"], "hint": true }),
        ),
    ];
    let paths = whole["paths"].as_object().unwrap();
    for path in paths.keys() {
        let name = path.trim_start_matches("/api/");
        if paths[path].get("get").is_some() {
            let (status, text) = it.get(&format!("api/{name}?position=initial"));
            assert_eq!(status, 200, "{path}");
            if !path.contains('.') {
                let schema = &paths[path]["get"]["responses"]["200"]["content"]["application/json"]
                    ["schema"];
                let answer = serde_json::from_str(&text).unwrap();
                assert_eq!(fault(&whole, schema, &answer, name), None);
            }
        } else {
            assert!(
                questions.iter().any(|(question, _)| *question == name),
                "{path} is not asked"
            );
        }
    }
    for (question, body) in questions {
        let it = if question == "umpire" { &hidden } else { &it };
        let described = &paths[&format!("/api/{question}")]["post"];
        let schema = &described["requestBody"]["content"]["application/json"]["schema"];
        assert_eq!(fault(&whole, schema, &body, question), None);
        // What is not described is refused: fields, and values.
        for (name, field) in schema["properties"].as_object().unwrap() {
            for value in beyond(field, &body[name]) {
                let mut other = body.clone();
                other[name] = value;
                let (status, text) = it.post(question, &other);
                assert_eq!(status, 400, "{question}, {name}: {text}");
            }
        }
        let mut more = body.clone();
        more["surprise"] = json!(1);
        assert_eq!(it.post(question, &more).0, 400, "{question}");
        let (status, text) = it.post(question, &body);
        assert_eq!(status, 200, "{question}: {text}");
        let content = &described["responses"]["200"]["content"];
        if let Some(kind) = content.get("application/json") {
            let answer = serde_json::from_str(&text).unwrap();
            assert_eq!(fault(&whole, &kind["schema"], &answer, question), None);
        } else if let Some(kind) = content.get("application/x-ndjson") {
            for line in text.lines() {
                let event = serde_json::from_str(line).unwrap();
                assert_eq!(fault(&whole, &kind["schema"], &event, question), None);
            }
        }
    }
    for question in ["evaluate", "solution", "check"] {
        let (status, text) = hidden.post(question, &json!({ "position": "" }));
        assert_eq!(status, 200, "{question}: {text}");
        let described = &paths[&format!("/api/{question}")]["post"]["responses"]["200"]["content"];
        let answer = serde_json::from_str(&text).unwrap();
        let schema = &described["application/json"]["schema"];
        assert_eq!(fault(&whole, schema, &answer, question), None);
    }
}

#[test]
fn words_and_limits_are_those_of_the_program() {
    let it = Running::new("ostle:3x3,pieces=2,losses=2");
    let whole: Json = serde_json::from_str(&it.get("api/openapi.json").1).unwrap();
    let at = |place: &str| whole.pointer(place).unwrap_or_else(|| panic!("{place}"));
    let schema = |place: &str| at(&format!("/components/schemas/{place}"));
    let verdict = "TableVerdict/properties";
    for (described, words) in [
        (
            schema("Game/properties/operations/items/enum"),
            Operation::ALL.map(Operation::name).to_vec(),
        ),
        (
            schema("Column/properties/cost/enum"),
            Tier::ALL.iter().map(|tier| tier.name()).collect(),
        ),
        (
            schema(&format!("{verdict}/faults/items/enum")),
            Fault::ALL.iter().map(|fault| fault.name()).collect(),
        ),
        (
            schema("TableSolution/properties/soundness/enum"),
            Soundness::ALL.iter().map(|sound| sound.name()).collect(),
        ),
    ] {
        assert_eq!(described, &json!(words));
    }
    let styles: Vec<_> = Style::presets().collect();
    let question = |name: &str| at("/paths").get(format!("/api/{name}")).unwrap();
    for name in ["diagram.svg", "tree.svg"] {
        let parameters = question(name)["get"]["parameters"].as_array().unwrap();
        let style = parameters.iter().find(|it| it["name"] == "style").unwrap();
        let described = style["schema"]["enum"].as_array().unwrap();
        assert_eq!(described.len(), styles.len());
        for style in &styles {
            assert!(described.contains(&json!(style)), "{style}");
            assert_eq!(it.get(&format!("api/{name}?style={style}")).0, 200);
        }
        assert_eq!(it.get(&format!("api/{name}?style=surprise")).0, 400);
    }
    // The limits themselves are admitted.
    let condition = "plies > 1";
    for (name, body) in [
        ("arrange", json!({ "things": [[255, 255, 255]] })),
        ("mine", json!({ "condition": condition, "limit": 500 })),
        ("mine", json!({ "condition": condition, "limit": 1 })),
        ("evaluate", json!({ "positions": vec![""; 1000] })),
        ("solution", json!({ "position": "", "nodes": u32::MAX })),
        (
            "export",
            json!({ "format": "svg", "puzzles": [], "title": "x".repeat(200) }),
        ),
    ] {
        let (status, text) = it.post(name, &body);
        assert_eq!(status, 200, "{name}: {text}");
    }
    let asked = json!({ "pattern": "???/???/???", "condition": condition, "limit": 1 });
    let found = it.ask("compose", &asked);
    let formats = &question("export")["post"]["responses"]["200"]["content"];
    for (format, kind) in [
        ("csv", "text/csv"),
        ("svg", "image/svg+xml"),
        ("pdf", "application/pdf"),
        ("html", "text/html"),
    ] {
        assert!(formats.get(kind).is_some(), "{kind}");
        let body = json!({ "format": format, "puzzles": found["puzzles"] });
        let (head, _) = it.whole("POST", "api/export", &body.to_string());
        assert!(head.contains(&format!("Content-Type: {kind}")), "{head}");
    }
    for game in ["kings:3x4", "sliding:2x3", "tsuitate"] {
        let answer = serde_json::from_str(&Running::new(game).get("api/game").1).unwrap();
        assert_eq!(fault(&whole, schema("Game"), &answer, game), None);
    }
}

#[test]
fn the_pattern_of_a_scan_counts() {
    let it = Running::new("ostle:3x3,pieces=2,losses=2");
    let asked = json!({ "pattern": "???/?o?/??w", "condition": "outcome = 'win'", "limit": 500 });
    let composed = it.ask("compose", &asked);
    let (_, text) = it.post("mine", &asked);
    let last: Json = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(last["matched"], composed["matched"]);
    let toml = "name='a'\ntitle=''\ntext=''\npredicate='plies > 1'\npattern='???/???/???'";
    let asked = json!({ "pattern": "???/?o?/??w", "toml": toml });
    let (status, text) = it.post("mine", &asked);
    assert!(status == 400 && text.contains("already"), "{text}");
}
