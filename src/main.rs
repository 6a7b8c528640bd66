//! x
use tesuji::game::*;
use tesuji::games::ostle::Ostle;
use tesuji::solve::{Solver, Unwatched, naive};
fn main(){
    let a: Vec<String> = std::env::args().collect();
    let game = Ostle::from_settings(&a[1], None).unwrap();
    println!("{} {}", game.spec(), game.format_state(&game.initial()));
    let t = std::time::Instant::now();
    if a.len() > 2 {
        let (s,e): (u64,u64) = (a[2].parse().unwrap(), a[3].parse().unwrap());
        let n = naive::solve(&game, (s..e).filter_map(|s| game.unrank(s)), |s| game.canonical(s));
        println!("naive {} states, longest {:?} {:?}", n.len(), n.longest(), t.elapsed());
        return;
    }
    let mut s = Solver::<_, tesuji::value::Wide>::new(&game);
    if a.len()==2 && std::env::var("NARROW").is_ok() { let mut s = Solver::<_, tesuji::value::Narrow>::new(&game); while let Some(x) = s.solve_next(&Unwatched).unwrap() { println!("{:?} {:?}", x.slots(), t.elapsed());} return; }
    while let Some(x) = s.solve_next(&Unwatched).unwrap() {
        println!("{:?} {:?}", x.slots(), t.elapsed());
    }
}
