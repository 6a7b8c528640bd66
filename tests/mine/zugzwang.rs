//! Mutual zugzwangs of chess endings: published numbers.

use tesuji::base::progress::NoProgress;
use tesuji::mine::Filter;
use tesuji::session::MiningOptions;

// G. McC. Haworth, *3-5 man mutual zugzwangs in chess*, ICGA Journal 24 (2001). What captures and
// promotions lead to has none.
#[test]
fn chess_endings_have_the_published_mutual_zugzwangs() {
    let condition = "outcome = 'loss' AND mutual_zugzwang";
    let filter = Filter::of_condition("zugzwang", condition).unwrap();
    for (spec, published) in [("chess:KP-K", 80), ("chess:KR-KB", 5), ("chess:KR-KN", 18)] {
        let session = tesuji::open(spec).unwrap();
        let options = MiningOptions::default();
        let mined = session.mining().unwrap();
        let mined = mined.mine(std::slice::from_ref(&filter), &options, &NoProgress);
        assert_eq!(mined.unwrap().sets[0].matched, published, "{spec}");
    }
}
