<<<<<<< HEAD
//! x
use tesuji::game::*;
use tesuji::games::ostle::Ostle;
use tesuji::solve::{Solver, Unwatched};
fn main(){
    let a: Vec<String> = std::env::args().collect();
    let game = Ostle::from_settings(&a[1], None).unwrap();
    println!("{} {}", game.spec(), game.format_state(&game.initial()));
    let t = std::time::Instant::now();
    let mut s = Solver::new(&game);
    while let Some(x) = s.solve_next(&Unwatched).unwrap() {
        println!("{:?} {:?}", x.slots(), t.elapsed());
    }
}
=======
fn main() {}
>>>>>>> draw
