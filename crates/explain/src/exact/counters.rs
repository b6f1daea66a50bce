//! Counters that nobody may miss a step of.
//!
//! Where every write of a location adds to what the same thread has read of it just before, the value in the end is the
//! sum over a chain of such steps, each of which reads what the one before has written. Steps of a chain do not
//! overlap. So if a condition asks for all that can be added up, no two steps may overlap, as if a lock were held
//! from the read to the write. This says at once what would otherwise be learnt value by value.

use crate::expression::{Binary, Expression};
use crate::setting::{Section, Setting};

/// The steps of each counter that a condition wants complete, as sections of locks that are nobody's.
pub fn sections(setting: &Setting) -> Vec<Section> {
    let constants = constants(setting);
    let mut sections = Vec::new();
    let mut done = Vec::new();
    for condition in setting.conditions.iter().chain(&setting.assertions) {
        for (read, least) in demands(condition, &constants) {
            let location = setting.reads[read].location;
            if done.contains(&location) {
                continue;
            }
            let Some(counter) = Counter::of(setting, location, &constants) else { continue };
            // What is left over must not be enough for one step to be lost.
            let complete = counter.steps.iter().all(|step| counter.most - step.adds < least);
            let behind =
                |step: &Step| setting.always_before(step.write, setting.reads[read].operation);
            if complete && counter.steps.iter().all(behind) {
                done.push(location);
                let object = setting.execution.objects.len() + location;
                sections.extend(counter.steps.iter().map(|step| Section {
                    object,
                    thread: setting.operations[step.write].thread,
                    acquire: step.read,
                    release: Some(step.write),
                    shared: false,
                }));
            }
        }
    }
    sections
}

struct Step {
    /// Operations.
    read: usize,
    write: usize,
    adds: i128,
}

struct Counter {
    steps: Vec<Step>,
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
        for step in &steps {
            most = most.checked_add(step.adds)?;
        }
        (!steps.is_empty()).then_some(Counter { steps, most })
    }
}

/// The write as a step: it adds something to the thread's last read of the location, and only there since.
fn step(setting: &Setting, write: usize) -> Option<Step> {
    let place = &setting.writes[write];
    let Expression::Binary(Binary::Add, left, right) = &place.value else { return None };
    let (read, adds) = match (&**left, &**right) {
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
        && source.operation < place.operation
        && source.location == place.location;
    (own && !between && adds > 0).then_some(Step {
        read: source.operation,
        write: place.operation,
        adds,
    })
}

/// The reads whose value a condition bounds from below, and by how much.
fn demands(condition: &Expression, constants: &[Option<i128>]) -> Vec<(usize, i128)> {
    let Expression::Binary(operator, left, right) = condition else { return Vec::new() };
    let known = |side: &Expression| side.value(&|read| constants[read]);
    match (operator, &**left, &**right) {
        (Binary::And, left, right) => {
            let mut both = demands(left, constants);
            both.extend(demands(right, constants));
            both
        }
        (Binary::Equal, Expression::Read(read), other)
        | (Binary::Equal, other, Expression::Read(read))
        | (Binary::AtMost, other, Expression::Read(read)) => {
            known(other).map(|least| (*read, least)).into_iter().collect()
        }
        (Binary::Less, other, Expression::Read(read)) => {
            known(other).map(|value| (*read, value + 1)).into_iter().collect()
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
