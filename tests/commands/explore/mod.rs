//! The explorer's server: who is answered, what stays bounded, and what is answered.

mod answers;
pub mod client;
mod command;
mod limits;
mod methods;
mod schema;
mod strangers;
mod umpire;
