//! The three searches, problem by problem, in one run.
//!
//! `cargo bench --bench tsuitate [-- PLIES FOULS]`: each problem is solved within so many
//! plies and fouls (11 and 3 if not said) by all modes in turn, each again and again for
//! half a second, or not at all if it takes more than twenty million steps. A row has the
//! mean processor time of each (where the system tells it, else time), positions generated
//! a second, metapositions, and how many times the fast mode takes of the third.

use std::time::{Duration, Instant};

use tesuji::base::progress::NoProgress;
use tesuji::game::Game;
use tesuji::games::tsuitate::Tsuitate;
use tesuji::solve::belief::{Limits, Mode, solve};

/// Problems with known answers; see tests/solve/hidden/known.rs for where they are from.
/// Those with a j are from JSON files of the same public solver.
const PROBLEMS: [(&str, &str); 14] = [
    ("sample", "8S/9/9/6RSk/8r/9/8P/6L2/9 b - 1"),
    ("m3", "5S2k/9/8P/9/9/9/9/9/9 b SB 1"),
    ("m5a", "4B4/6k2/8S/9/8S/9/9/9/9 b GR 1"),
    ("m7", "9/5k3/7+R1/5G3/7B1/6S2/9/9/9 b PNB 1"),
    ("q6", "7n1/7kl/5SP1b/7pp/9/9/9/9/9 b N 1"),
    ("q5", "l8/1kP6/2p6/1P7/9/9/9/9/9 b GS 1"),
    ("q7", "7n1/5Sskl/6p2/7pp/9/9/9/9/9 b 2BN 1"),
    ("q2", "5s1g1/7kr/5p2p/6P2/7P1/9/9/9/9 b SN 1"),
    ("q13", "9/9/8p/7k1/5GP2/9/6N1P/6GP1/8L b SN 1"),
    ("q40", "l2g5/2k6/p2p5/2P6/9/9/9/9/9 b RGS 1"),
    ("q43", "5B1nk/6+Rgl/6g1p/5Bp2/7p1/9/9/9/9 b N 1"),
    ("j1", "9/5g3/2S2kS2/3B5/9/7+R1/3+rP4/9/9 b B 1"),
    ("j2", "7kg/9/4RpG2/5N3/9/9/9/9/9 b - 1"),
    ("j3", "3RB2kl/5g3/4s1n1p/7G1/7P1/9/9/9/8+b b - 1"),
];

/// The most metapositions and positions to examine.
const MOST_STEPS: u64 = 20_000_000;

/// Time for one problem and mode, at least one run each.
const PATIENCE: Duration = Duration::from_millis(500);

fn main() {
    let numbers: Vec<u8> = std::env::args()
        .filter_map(|arg| arg.parse().ok())
        .collect();
    let (plies, fouls) = match numbers[..] {
        [plies, fouls, ..] => (plies, fouls),
        _ => (11, 3),
    };
    println!("at most {plies} plies and {fouls} fouls");
    println!(
        "problem | plies, fouls | reference s | M/s | metapositions | fast s | M/s | metapositions | proof-number s | M/s | metapositions | fast/proof-number"
    );
    let start = Instant::now();
    let game = Tsuitate::default();
    for (name, position) in PROBLEMS {
        let state = game.parse_state(position).expect("the positions are right");
        let mut limits = Limits::new(plies, fouls);
        limits.effort = MOST_STEPS;
        let mut answer = "none".to_owned();
        let mut cells = Vec::new();
        let mut times = Vec::new();
        for mode in [Mode::Reference, Mode::Fast, Mode::ProofNumber] {
            let before = processor_time(start);
            let mut runs = 0;
            let mut looked_at = 0;
            let mut generated = 0;
            let mut gave_up = false;
            while runs == 0 || processor_time(start).saturating_sub(before) < PATIENCE {
                runs += 1;
                let solved = solve(&game, &state, &limits, mode, &NoProgress);
                gave_up |= solved.is_err();
                if let Ok(Some(solved)) = solved {
                    answer = format!("{}, {}", solved.plies(), solved.fouls_allowed);
                    looked_at = solved.statistics.looked_at();
                    generated = solved.statistics.total().0;
                }
            }
            let spent = processor_time(start).saturating_sub(before);
            let seconds = spent.as_secs_f64() / f64::from(runs);
            times.push(seconds);
            cells.push(if gave_up {
                "gave up | - | -".to_owned()
            } else {
                let rate = looked_at as f64 / seconds / 1e6;
                format!("{seconds:.5} | {rate:.2} | {generated}")
            });
        }
        println!(
            "{name} | {answer} | {} | {:.1}",
            cells.join(" | "),
            times[1] / times[2]
        );
    }
}

/// What this thread has run so far, by the Linux scheduler's account, which waiting for
/// other work leaves out; elsewhere the time that has passed.
fn processor_time(start: Instant) -> Duration {
    let account = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap_or_default();
    let run = account.split(' ').next().and_then(|run| run.parse().ok());
    run.map_or_else(|| start.elapsed(), Duration::from_nanos)
}
