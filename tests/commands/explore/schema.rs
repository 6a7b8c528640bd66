//! Answers have the fields that `openapi.json` says, and no others.

use serde_json::{Value as Json, json};

use super::client::Running;

/// What is wrong with a value by a schema; only what `openapi.json` uses is understood.
fn fault(whole: &Json, schema: &Json, value: &Json, place: &str) -> Option<String> {
    if let Some(name) = schema.get("$ref").and_then(Json::as_str) {
        let schema = whole
            .pointer(name.trim_start_matches('#'))
            .expect("a schema that is there");
        return fault(whole, schema, value, place);
    }
    if let Some(one) = schema.get("oneOf").and_then(Json::as_array) {
        let faults: Option<Vec<_>> = one
            .iter()
            .map(|schema| fault(whole, schema, value, place))
            .collect();
        return faults.map(|faults| faults.join("; or "));
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
        // A field that is not described is refused.
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
}
