//! Solvers and searches against slow and obviously right ones, and the tables they fill.

#[path = "../common/mod.rs"]
mod common;

mod hidden {
    mod known;
    mod modes;
    mod mouse;
}
mod breakthrough;
mod connect_four;
mod dobutsu;
mod dodgem;
mod l_game;
mod listed;
mod lures;
mod nimbers;
mod numbered;
mod path;
mod quixo;
mod reach;
mod readings;
mod stats;
mod table;
mod twin;
mod values;
mod verify;
