//! Symbols of animals, for men with their names.

use crate::draw::{Symbol, Tone};

/// Names with outlines, drawn for this program: path data in a square of 1000 units, y downwards.
/// Inner outlines run the other way round, so that they stay blank where a symbol is solid.
#[rustfmt::skip]
const OUTLINES: [(&str, &str); 5] = [
    // The face of a lion in its mane.
    ("lion", "M384 143Q500 20 616 143Q782 112 803 280Q957 352 875 500Q957 648 803 720Q782 888 616 857Q500 980 384 857Q218 888 197 720Q43 648 125 500Q43 352 197 280Q218 112 384 143ZM500 265C354 265 235 384 235 530C235 676 354 795 500 795C646 795 765 676 765 530C765 384 646 265 500 265ZM405 437C426 437 443 454 443 475C443 496 426 513 405 513C384 513 367 496 367 475C367 454 384 437 405 437ZM595 437C616 437 633 454 633 475C633 496 616 513 595 513C574 513 557 496 557 475C557 454 574 437 595 437ZM430 560L570 560L500 640ZM350 668Q430 735 500 668Q570 735 650 668Q580 800 500 730Q420 800 350 668Z"),
    // The head and neck of a giraffe.
    ("giraffe", "M300 940L330 560Q345 470 330 430L190 430Q110 420 120 345Q130 300 190 290L350 230L330 110Q330 70 365 70Q400 70 400 110L420 200L480 200L500 110Q505 70 540 70Q575 75 570 115L555 215L690 190Q700 270 590 310Q640 380 660 520L720 940ZM400 273C382 273 368 287 368 305C368 323 382 337 400 337C418 337 432 323 432 305C432 287 418 273 400 273ZM430 420L430 520L530 520L550 440ZM420 590L400 720L500 720L500 590ZM560 560L560 660L620 660L610 560ZM400 790L390 880L500 880L500 790ZM570 730L570 860L660 860L640 730Z"),
    // The face of an elephant.
    ("elephant", "M360 190Q500 110 640 190C720 110 960 130 945 400C940 610 790 720 690 630Q660 660 625 670Q600 790 610 840Q630 890 680 850L735 890Q690 960 600 950Q500 930 490 800L480 740L440 740Q420 800 375 830Q345 830 350 790Q390 740 375 670Q340 660 310 630C210 720 60 610 55 400C40 130 280 110 360 190ZM400 354C380 354 364 370 364 390C364 410 380 426 400 426C420 426 436 410 436 390C436 370 420 354 400 354ZM600 354C580 354 564 370 564 390C564 410 580 426 600 426C620 426 636 410 636 390C636 370 620 354 600 354ZM300 300Q240 400 300 520Q200 560 180 420Q190 290 300 300ZM700 300Q810 290 820 420Q800 560 700 520Q760 400 700 300Z"),
    // A chick.
    ("chick", "M470 170Q440 90 500 60Q505 110 530 130Q560 100 590 110Q565 140 560 175C760 190 880 340 880 560C880 760 760 880 620 905L660 950L560 950L540 915L460 915L440 950L340 950L380 905C240 880 120 760 120 560C120 340 240 190 470 170ZM370 402C343 402 322 423 322 450C322 477 343 498 370 498C397 498 418 477 418 450C418 423 397 402 370 402ZM630 402C603 402 582 423 582 450C582 477 603 498 630 498C657 498 678 477 678 450C678 423 657 402 630 402ZM500 500L410 575L500 650L590 575Z"),
    // A hen with comb, wattle and wings.
    ("hen", "M340 235Q270 210 285 130Q340 150 360 190Q360 90 430 50Q470 100 460 170Q480 60 570 50Q590 120 560 180Q610 120 690 150Q690 220 640 240C760 300 820 400 830 500L960 420Q980 560 900 650Q960 680 960 740Q900 800 800 790C760 850 690 885 620 905L660 950L560 950L540 915L460 915L440 950L340 950L380 905C310 885 240 850 200 790Q100 800 40 740Q40 680 100 650Q20 560 40 420L170 500C180 400 240 290 340 235ZM390 394C365 394 344 415 344 440C344 465 365 486 390 486C415 486 436 465 436 440C436 415 415 394 390 394ZM610 394C585 394 564 415 564 440C564 465 585 486 610 486C635 486 656 465 656 440C656 415 635 394 610 394ZM500 480L420 550L500 620L580 550ZM455 660Q420 780 500 800Q580 780 545 660L500 690Z"),
];

/// The symbol of one or two men with a name, those of the second side upside down; `None` if there
/// is none.
pub(super) fn of(name: &str, tone: Tone, second: bool, count: u8) -> Option<Symbol> {
    let &(name, outline) = OUTLINES.iter().find(|(known, _)| *known == name)?;
    let outline = match count {
        1 => outline.to_owned(),
        2 => doubled(outline),
        _ => return None,
    };
    let symbol = Symbol::new(name, outline, tone).ok()?;
    Some(if second { symbol.turned(2) } else { symbol })
}

/// An outline at eleven twentieths of its size, twice: in the upper left and lower right corners.
fn doubled(outline: &str) -> String {
    let placed = |offset: u32| {
        let mut text = String::new();
        let mut digits = String::new();
        for letter in outline.chars().chain([' ']) {
            if letter.is_ascii_digit() {
                digits.push(letter);
                continue;
            }
            if let Ok(number) = digits.parse::<u32>() {
                text += &(number * 11 / 20 + offset).to_string();
            }
            digits.clear();
            text.push(letter);
        }
        text.trim_end().to_owned()
    };
    placed(0) + &placed(450)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_lie_in_their_squares() {
        for (name, _) in OUTLINES {
            for count in [1, 2] {
                assert!(
                    of(name, Tone::Dark, true, count).is_some(),
                    "{name} {count}"
                );
            }
        }
    }
}
