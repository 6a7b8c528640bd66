//! Tsuitate-tsume-shogi: rules, known problems, and metapositions in general.

mod known;
mod modes;
mod mouse;
mod movegen;
mod notation;
mod rules;
