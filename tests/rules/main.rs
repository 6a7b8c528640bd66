//! Rules, notations and laws of every game, against a second writing of the rules, another
//! implementation, or what is published.

#[path = "../common/mod.rs"]
mod common;

mod dobutsu;
mod lineup {
    mod figures;
    mod plain;
    mod small;
    mod texts;
}
mod ostle {
    mod figure;
    mod laws;
    mod notation;
    mod numbering;
    mod rules;
}
mod pieces {
    mod castling;
    mod chess;
    mod laws;
    mod tictactoe;
    mod written;
}
mod graph_pictures;
mod placement;
mod placement_settings;
mod registry;
mod sliding;
mod tsuitate {
    mod kif;
    mod movegen;
    mod notation;
    mod rules;
}
