//! Problems with hidden information, played against the umpire.

use serde_json::{Value as Json, json};

use super::client::Running;

/// A mate in three: S*2b may be a foul, which leaves S*1b.
const M3: &str = crate::tsuitate::M3;

fn words(found: &Json) -> Vec<&str> {
    let heard = found["heard"].as_array().unwrap().iter();
    heard.map(|one| one["heard"].as_str().unwrap()).collect()
}

#[test]
fn the_umpire_answers_as_in_the_terminal() {
    let it = Running::new("tsuitate");
    let ask = |position: &str, tries: &[&str]| {
        it.ask(
            "umpire",
            &json!({ "position": position, "tries": tries, "hint": true }),
        )
    };
    let found = ask("", &[]);
    assert_eq!((&found["plies"], &found["fouls"]), (&json!(9), &json!(1)));
    assert_eq!(found["hint"]["try"], "2d1e");
    assert_eq!(found["positions"], 1);
    let found = ask("", &["2d1e", "R*2c", "3d1d", "1d2d"]);
    assert_eq!((&found["plies"], &found["over"]), (&json!(1), &Json::Null));
    assert!(found["positions"].as_u64().unwrap() > 1);
    assert_eq!(found["heard"][0]["text"], "2d1exR: check. White replies -");
    // White's men are on the picture as long as one position is possible, not later.
    let spoken = found["picture"]["words"].as_str().unwrap();
    assert!(spoken.contains("White: not seen"), "{spoken}");
    let found = ask("", &["2d1e", "R*2c", "3d1d", "1d2d", "2d2b+"]);
    assert_eq!(
        (&found["over"], &found["tries"]),
        (&json!("won"), &json!([]))
    );
    let found = ask(M3, &["B*3c", "S*2b", "S*1b"]);
    assert_eq!(words(&found), ["check", "foul", "mate"]);
    let found = ask(M3, &["B*3c", "S*1b"]);
    assert_eq!(
        (words(&found), &found["over"]),
        (vec!["check", "check"], &json!("lost"))
    );
    // What is no try is not made.
    let found = ask(M3, &["1c1d", "S*9i"]);
    assert_eq!(words(&found), ["no-try", "no-check"]);
    assert_eq!((&found["plies"], &found["over"]), (&json!(3), &Json::Null));
}

#[test]
fn what_cannot_be_played_is_refused() {
    let it = Running::new("tsuitate");
    let refused = |body: Json, why: &str| {
        let (status, text) = it.post("umpire", &body);
        assert_eq!(status, 400, "{text}");
        assert!(text.contains(why), "{text}");
    };
    refused(json!({ "position": M3, "tries": ["castles"] }), "castles");
    refused(
        json!({ "position": M3, "tries": ["B*3c", "S*1b", "S*2b"] }),
        "before 'S*2b': the game is over",
    );
    refused(
        json!({ "position": M3, "tries": vec!["S*9i"; 201] }),
        "at most 200",
    );
    refused(json!({ "position": M3, "fouls": 9 }), "fouls is 0 to 8");
    let other = Running::new("ostle:3x3,pieces=2,losses=2");
    let (status, text) = other.post("umpire", &json!({ "position": "" }));
    assert_eq!(status, 400);
    assert!(text.contains("umpire"), "{text}");
}
