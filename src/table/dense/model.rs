//! The frequencies by which a layer of a dense table is coded.

use super::class::{CONTEXTS, Class, Context, Level};
use super::coder::{Frequencies, Share, TOTAL};
use super::counts::{CHOICES, Counted, Counts, choice};
use super::leaf::Bound;
use crate::base::value::{Outcome, Value};

/// The frequencies by which a layer is coded.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::table) struct Model {
    classes: Vec<Class>,
    levels: Vec<Level>,
    /// The values without the only best move.
    seconds: Vec<u16>,
    by_context: Vec<Option<Frequencies>>,
    moves: Vec<Option<Frequencies>>,
    /// Frequencies of the second values, by class.
    by_class: Vec<Option<Frequencies>>,
}

impl Model {
    /// The frequencies that fit counts; `None` if a context has too many symbols.
    pub fn new(counts: &Counts) -> Option<Self> {
        let counted = counts.classes.iter().flatten();
        let mut classes: Vec<Class> = counted.map(|&(class, _)| class).collect();
        classes.sort_unstable();
        classes.dedup();
        let mut seconds: Vec<u16> = counts.seconds.keys().map(|&(_, second)| second).collect();
        seconds.sort_unstable();
        seconds.dedup();
        let class_at = |class: &Class| classes.binary_search(class).ok();
        let by_context: Counted<usize, Class> = (0..)
            .zip(&counts.classes)
            .flat_map(|(context, list)| list.iter().map(move |&(class, n)| ((context, class), n)))
            .collect();
        let by_context = tables(CONTEXTS, &by_context, |&context| context, class_at)?;
        let moves = tables(
            CHOICES,
            &counts.moves,
            |&choices| choices.into(),
            |&at| Some(at.into()),
        )?;
        let second_at = |second: &u16| seconds.binary_search(second).ok();
        let place = |class: &Class| class_at(class).unwrap_or(usize::MAX);
        let by_class = tables(classes.len(), &counts.seconds, place, second_at)?;
        Some(Self::of(classes, seconds, by_context, moves, by_class))
    }

    fn of(
        classes: Vec<Class>,
        seconds: Vec<u16>,
        by_context: Vec<Option<Frequencies>>,
        moves: Vec<Option<Frequencies>>,
        by_class: Vec<Option<Frequencies>>,
    ) -> Self {
        Self {
            levels: classes.iter().map(|class| class.level()).collect(),
            classes,
            seconds,
            by_context,
            moves,
            by_class,
        }
    }

    /// The number of a class, and how it counts for its neighbours.
    pub fn number(&self, class: Class) -> Option<(u16, Level)> {
        let at = self.classes.binary_search(&class).ok()?;
        Some((u16::try_from(at).ok()?, self.levels[at]))
    }

    /// The class of a number, and how it counts for its neighbours.
    #[inline]
    pub fn class(&self, number: u16) -> (Class, Level) {
        let at = usize::from(number);
        (self.classes[at], self.levels[at])
    }

    /// Frequencies of the numbers of classes.
    #[inline]
    pub fn classes(&self, context: Context) -> Option<&Frequencies> {
        self.by_context[context.number()].as_ref()
    }

    /// Frequencies of the places of moves among so many.
    pub fn moves(&self, choices: usize) -> Option<&Frequencies> {
        self.moves[usize::from(choice(choices))].as_ref()
    }

    /// Frequencies of the numbers of second values of a class.
    pub fn seconds(&self, class: u16) -> Option<&Frequencies> {
        self.by_class[usize::from(class)].as_ref()
    }

    /// The second value of a number.
    pub fn second(&self, number: u16) -> Value {
        Value::from_code(self.seconds[usize::from(number)])
    }

    /// The shares of a class in a context.
    pub fn share_of_class(&self, context: Context, number: u16) -> Option<Share> {
        self.classes(context)?.share(number)
    }

    /// The shares of the two parts of a bound of a class; its move is number `at` of `choices`.
    pub fn shares_of_bound(
        &self,
        class: u16,
        bound: Bound,
        at: usize,
        choices: usize,
    ) -> Option<[Share; 2]> {
        let second = self.seconds.binary_search(&bound.second.code()).ok()?;
        let at = u16::try_from(at).ok()?;
        Some([
            self.moves(choices)?.share(at)?,
            self.seconds(class)?.share(u16::try_from(second).ok()?)?,
        ])
    }

    /// Appends the model to `bytes`.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        put(bytes, self.classes.len());
        for class in &self.classes {
            put(bytes, class.key() as usize);
        }
        put(bytes, self.seconds.len());
        for &second in &self.seconds {
            put(bytes, second.into());
        }
        for tables in [&self.by_context, &self.moves, &self.by_class] {
            for table in tables {
                let shares = table.as_ref().map(Frequencies::shares);
                put(bytes, shares.as_ref().map_or(0, ExactSizeIterator::len));
                for (symbol, share) in shares.into_iter().flatten() {
                    put(bytes, symbol.into());
                    put(bytes, share as usize);
                }
            }
        }
    }

    /// Reads a model from the front of `bytes`; `None` if there is none. Takes memory in
    /// proportion to the bytes.
    pub fn read(bytes: &mut &[u8]) -> Option<Self> {
        let classes = increasing(bytes)?;
        let classes = classes
            .into_iter()
            .map(Class::of_key)
            .collect::<Option<Vec<_>>>()?;
        let seconds = increasing(bytes)?
            .into_iter()
            .map(|code| u16::try_from(code).ok());
        let seconds = seconds.collect::<Option<Vec<_>>>()?;
        let no_win = |&code: &u16| {
            let value: Value = Value::from_code(code);
            !value.is_vacant() && value.outcome() != Outcome::Win
        };
        if !seconds.iter().all(no_win) {
            return None;
        }
        let mut read = |tables: usize, symbols: usize| {
            let tables = (0..tables).map(|_| frequencies(bytes, symbols));
            tables.collect::<Option<Vec<_>>>()
        };
        let by_context = read(CONTEXTS, classes.len())?;
        let moves = read(CHOICES, 256)?;
        let by_class = read(classes.len(), seconds.len())?;
        Some(Self::of(classes, seconds, by_context, moves, by_class))
    }
}

/// Frequencies of counted symbols, by the place of their context among `contexts`.
fn tables<K: Ord, S: Ord>(
    contexts: usize,
    counted: &Counted<K, S>,
    place: impl Fn(&K) -> usize,
    number: impl Fn(&S) -> Option<usize>,
) -> Option<Vec<Option<Frequencies>>> {
    let mut counts: Vec<Vec<u64>> = vec![Vec::new(); contexts];
    for ((context, symbol), &count) in counted {
        let counts = counts.get_mut(place(context))?;
        let at = number(symbol)?;
        if counts.len() <= at {
            counts.resize(at + 1, 0);
        }
        counts[at] = count;
    }
    let tables = counts.iter().map(|counts| {
        if counts.is_empty() {
            return Some(None);
        }
        Frequencies::of_counts(counts).map(Some)
    });
    tables.collect()
}

/// Appends a number, seven bits a byte, the lowest first.
#[expect(clippy::cast_possible_truncation, reason = "seven bits are cut out")]
fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number > 127 {
        bytes.push(number as u8 | 128);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Reads a number of at most 28 bits.
fn get(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0;
    for place in 0..4 {
        let (&byte, rest) = bytes.split_first()?;
        *bytes = rest;
        number |= u32::from(byte & 127) << (7 * place);
        if byte < 128 {
            return Some(number);
        }
    }
    None
}

/// Reads numbers, each greater than the one before.
fn increasing(bytes: &mut &[u8]) -> Option<Vec<u32>> {
    let count = usize::try_from(get(bytes)?).ok()?;
    if count > bytes.len() || count > TOTAL as usize {
        return None;
    }
    let numbers = (0..count).map(|_| get(bytes)).collect::<Option<Vec<_>>>()?;
    numbers.is_sorted_by(|a, b| a < b).then_some(numbers)
}

/// Reads the frequencies of a context, whose symbols are below `symbols`; nothing inside if the
/// context does not occur.
#[expect(
    clippy::option_option,
    reason = "contexts may be missing, and bytes may be wrong"
)]
fn frequencies(bytes: &mut &[u8], symbols: usize) -> Option<Option<Frequencies>> {
    let count = usize::try_from(get(bytes)?).ok()?;
    if count > symbols || count > bytes.len() {
        return None;
    }
    if count == 0 {
        return Some(None);
    }
    let share = |_| {
        let symbol = u16::try_from(get(bytes)?).ok()?;
        let fits = usize::from(symbol) < symbols;
        fits.then_some((symbol, get(bytes)?))
    };
    let shares = (0..count).map(share).collect::<Option<Vec<_>>>()?;
    Frequencies::new(&shares).map(Some)
}
