//! Counters that nobody may miss a step of.
//!
//! Where every write of a location adds to what the same thread has read of it just before, the value in the end is the
//! sum over a chain of such steps, each of which reads what the one before has written. Steps of a chain do not
//! overlap. So if a condition asks for all that can be added up, no two steps may overlap, as if a lock were held
//! from the read to the write. This says at once what would otherwise be learnt value by value.

use crate::expression::{Binary, Expression};
use crate::setting::{Section, Setting};
use std::collections::HashSet;

/// What follows for the counters that conditions want complete.
#[derive(Default)]
pub struct Complete {
    /// Their steps, as sections of locks that are nobody's.
    pub sections: Vec<Section>,
    /// Reads of which no two get their value from the same write: each of the steps', and the one that asks. For in
    /// the chain that ends there every step stands once.
    pub chained: HashSet<usize>,
}

pub fn complete(setting: &Setting) -> Complete {
    let constants = constants(setting);
    let mut all = Complete::default();
    let mut done = Vec::new();
    for condition in setting.conditions.iter().chain(&setting.assertions) {
        for (read, least, word) in demands(condition, &constants) {
            let location = setting.reads[read].location;
            if done.contains(&location) {
                continue;
            }
            let Some(counter) = Counter::of(setting, location, &constants) else { continue };
            // What is left over must not be enough for one step to be lost.
            let complete = counter.steps.iter().all(|step| counter.most - step.adds < least);
            let behind =
                |step: &Step| setting.always_before(step.write, setting.reads[read].operation);
            let fits = word.0 <= counter.least && counter.most <= word.1;
            if complete && fits && counter.steps.iter().all(behind) {
                done.push(location);
                all.chained.insert(read);
                all.chained.extend(counter.steps.iter().map(|step| step.number));
                let object = setting.execution.objects.len() + location;
                all.sections.extend(counter.steps.iter().map(|step| Section {
                    object,
                    thread: setting.operations[step.write].thread,
                    acquire: step.read,
                    release: Some(step.write),
                    shared: false,
                }));
            }
        }
    }
    all
}

struct Step {
    /// The read's number.
    number: usize,
    /// Operations.
    read: usize,
    write: usize,
    adds: i128,
    /// Within these nothing wraps.
    word: Word,
}

/// The smallest and the largest number of a machine word.
type Word = (i128, i128);

fn narrower(a: Word, b: Word) -> Word {
    (a.0.max(b.0), a.1.min(b.1))
}

/// An expression without the words that it is kept in, and the narrowest of them.
fn unwrapped(mut expression: &Expression) -> (&Expression, Word) {
    let mut word = (i128::MIN, i128::MAX);
    while let Expression::Wrap { bits, signed, value } = expression {
        if (1..127).contains(bits) {
            let size = 1i128 << bits;
            word = narrower(word, if *signed { (-size / 2, size / 2 - 1) } else { (0, size - 1) });
        }
        expression = value;
    }
    (expression, word)
}

struct Counter {
    steps: Vec<Step>,
    /// What it holds at first.
    least: i128,
    /// What it holds if no step is lost.
    most: i128,
}

impl Counter {
    fn of(setting: &Setting, location: usize, constants: &[Option<i128>]) -> Option<Counter> {
        let mut steps = Vec::new();
        let mut first: Option<usize> = None;
        let mut most = setting.execution.initial[location];
        for &write in &setting.writers[location] {
            match step(setting, write) {
                Some(step) => steps.push(step),
                // At most one write may set it, before all steps.
                None if first.is_some() => return None,
                None => {
                    most = setting.writes[write].value.value(&|read| constants[read])?;
                    first = Some(setting.writes[write].operation);
                }
            }
        }
        if let Some(first) = first
            && !steps.iter().all(|step| setting.always_before(first, step.read))
        {
            return None;
        }
        let least = most;
        for step in &steps {
            most = most.checked_add(step.adds)?;
        }
        let fits = |step: &Step| step.word.0 <= least && most <= step.word.1;
        let proper = !steps.is_empty() && steps.iter().all(fits);
        proper.then_some(Counter { steps, least, most })
    }
}

/// The write as a step: it adds something to the thread's last read of the location, and only there since.
fn step(setting: &Setting, write: usize) -> Option<Step> {
    let place = &setting.writes[write];
    let (value, word) = unwrapped(&place.value);
    let Expression::Binary(Binary::Add, left, right) = value else { return None };
    let (read, adds) = match (unwrapped(left).0, unwrapped(right).0) {
        (Expression::Read(read), Expression::Constant(adds))
        | (Expression::Constant(adds), Expression::Read(read)) => (*read, *adds),
        _ => return None,
    };
    let source = &setting.reads[read];
    let thread = setting.operations[place.operation].thread;
    let between = setting.writers[place.location].iter().any(|&other| {
        let operation = setting.writes[other].operation;
        other != write && source.operation < operation && operation < place.operation
    });
    let own = setting.operations[source.operation].thread == thread
        && source.operation <= place.operation
        && source.location == place.location;
    (own && !between && adds > 0).then_some(Step {
        number: read,
        read: source.operation,
        write: place.operation,
        adds,
        word: narrower(word, narrower(unwrapped(left).1, unwrapped(right).1)),
    })
}

/// The reads whose value a condition bounds from below, by how much, and within which word.
fn demands(condition: &Expression, constants: &[Option<i128>]) -> Vec<(usize, i128, Word)> {
    let Expression::Binary(operator, left, right) = unwrapped(condition).0 else {
        return Vec::new();
    };
    let known = |side: &Expression| side.value(&|read| constants[read]);
    let of = |side: &Expression, least: Option<i128>| match unwrapped(side) {
        (Expression::Read(read), word) => least.map(|least| (*read, least, word)),
        _ => None,
    };
    match operator {
        Binary::And => [demands(left, constants), demands(right, constants)].concat(),
        Binary::Equal => {
            of(left, known(right)).or_else(|| of(right, known(left))).into_iter().collect()
        }
        Binary::AtMost => of(right, known(left)).into_iter().collect(),
        Binary::Less => {
            let least = known(left).and_then(|value| value.checked_add(1));
            of(right, least).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

/// Reads that have the same value in every order.
fn constants(setting: &Setting) -> Vec<Option<i128>> {
    let mut constants: Vec<Option<i128>> = vec![None; setting.reads.len()];
    let mut only = vec![None; setting.reads.len()];
    for (read, only) in only.iter_mut().enumerate() {
        if let [source] = setting.sources(read)[..] {
            *only = Some(source);
        }
    }
    loop {
        let mut more = false;
        for read in 0..constants.len() {
            let (None, Some(source)) = (constants[read], only[read]) else { continue };
            let value = match source {
                None => Some(setting.execution.initial[setting.reads[read].location]),
                Some(write) => setting.writes[write].value.value(&|read| constants[read]),
            };
            more |= value.is_some();
            constants[read] = value;
        }
        if !more {
            return constants;
        }
    }
}
