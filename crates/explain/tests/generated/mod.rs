//! Random small executions with synchronisation of every kind, conditions, and other paths.

use unpick_explain::execution::{Action, At, Branch, Execution, Path, Place, Step};
use unpick_explain::expression::{Binary, Expression, Unary};
use unpick_explain::judged;
use unpick_judge::replay::Run;

pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }
}

const LOCATIONS: usize = 2;
const LOCK: usize = 0;
const OTHER_LOCK: usize = 1;
const SEMAPHORE: usize = 2;
const BARRIER: usize = 3;

/// What one thread does, while it is made up.
#[derive(Default)]
struct Draft {
    actions: Vec<Action>,
    reads: usize,
}

fn constant(value: i128) -> Expression {
    Expression::Constant(value)
}

/// Some value over what was read so far.
fn value(random: &mut Random, reads: usize) -> Expression {
    if reads == 0 || random.one_in(3) {
        return constant(random.below(3) as i128);
    }
    let read = |random: &mut Random| Expression::Read(random.below(reads));
    let (a, b) = (read(random), read(random));
    match random.below(8) {
        0 => Expression::binary(Binary::Add, a, b),
        1 => Expression::binary(Binary::Subtract, a, b),
        2 => Expression::binary(Binary::Multiply, a, constant(2)),
        3 => Expression::binary(Binary::Remainder, a, constant(2)),
        4 => Expression::binary(Binary::BitXor, a, constant(1)),
        5 => {
            let sum = Expression::binary(Binary::Subtract, a, constant(1));
            Expression::Wrap { bits: 8, signed: random.one_in(2), value: Box::new(sum) }
        }
        _ => Expression::binary(Binary::Add, a, constant(1)),
    }
}

impl Draft {
    fn access(&mut self, random: &mut Random) {
        let location = random.below(LOCATIONS);
        let action = match random.below(7) {
            0..3 => {
                self.reads += 1;
                Action::Access { reads: vec![location], writes: Vec::new() }
            }
            3..6 => {
                let writes = vec![(location, value(random, self.reads))];
                Action::Access { reads: Vec::new(), writes }
            }
            // An atomic update, now and then of two places.
            _ => {
                self.reads += 1;
                let read = Expression::Read(self.reads - 1);
                let value = Expression::binary(Binary::Add, read, constant(1));
                let mut writes = vec![(location, value)];
                if random.one_in(3) {
                    writes.push((1 - location, constant(7)));
                }
                Action::Access { reads: vec![location], writes }
            }
        };
        self.actions.push(action);
    }

    fn section(&mut self, random: &mut Random, room: usize) {
        let lock = if random.one_in(4) { OTHER_LOCK } else { LOCK };
        let (take, give) = match random.below(3) {
            0 => (Action::ReadLock(lock), Action::ReadUnlock(lock)),
            _ => (Action::Lock(lock), Action::Unlock(lock)),
        };
        self.actions.push(take.clone());
        for _ in 0..room.saturating_sub(2).min(1 + random.below(2)) {
            self.access(random);
        }
        if room > 5 && random.one_in(4) {
            self.actions.extend([take, give.clone()]);
        }
        self.actions.push(give);
    }

    /// Under a lock, or (as others may write it) without one.
    fn wait(&mut self, random: &mut Random, room: usize) {
        if room < 5 || random.one_in(3) {
            let released = (!self.actions.is_empty() && random.one_in(2)).then_some(1);
            self.actions.push(Action::Woken { object: LOCK, released });
            return;
        }
        let released = random.one_in(2).then_some(1);
        self.actions.push(Action::Lock(LOCK));
        if room > 6 && random.one_in(3) {
            self.actions.push(Action::Lock(LOCK));
        }
        let depth = self.actions.iter().rev().take_while(|a| **a == Action::Lock(LOCK)).count();
        self.actions.extend([
            Action::Unlock(LOCK),
            Action::Woken { object: LOCK, released },
            Action::Lock(LOCK),
        ]);
        self.actions.extend(vec![Action::Unlock(LOCK); depth]);
    }

    fn something(&mut self, random: &mut Random, room: usize, parties: usize) {
        match random.below(16) {
            0..7 => self.access(random),
            7..9 => self.section(random, room),
            9 => self.wait(random, room),
            10 => self.actions.push(Action::Signal(LOCK)),
            11 => self.actions.push(Action::Broadcast(LOCK)),
            12 => self.actions.push(Action::Post(SEMAPHORE)),
            13 => self.actions.push(Action::Take(SEMAPHORE)),
            14 => {
                self.actions.push(Action::Arrive { object: BARRIER, parties });
                self.actions.push(Action::Leave(BARRIER));
            }
            _ => self.actions.push(Action::Mark),
        }
    }
}

fn step(random: &mut Random, action: Action) -> Step {
    let line = random.below(4) as u32;
    let place = Place { file: "t".into(), line };
    let kind = match &action {
        Action::Access { reads, writes } => format!("{} {}", reads.len(), writes.len()),
        other => format!("{other:?}"),
    };
    Step { name: format!("{kind} {line}"), identity: format!("{kind} {line}"), place, action }
}

fn branch(number: usize, taken: bool) -> Branch {
    let place = Place { file: "t".into(), line: 100 + number as u32 };
    Branch { place, ordinal: 0, taken, step: 0 }
}

fn path(random: &mut Random, thread: usize, actions: Vec<Action>) -> Path {
    let steps: Vec<Step> = actions.into_iter().map(|action| step(random, action)).collect();
    let branches = (0..1 + random.below(2)).map(|number| branch(number, true)).collect();
    Path { thread, steps, conditions: Vec::new(), assertion: None, branches }
}

/// An order that can be, with what is read in it.
fn some_order(random: &mut Random, execution: &Execution) -> Option<(Vec<usize>, Vec<Vec<i128>>)> {
    let case = judged::case(execution);
    let traces = case.chosen(&vec![0; case.threads.len()])?;
    for _ in 0..10 {
        let mut run = Run::new(&case, traces.clone());
        let mut order = Vec::new();
        loop {
            let able: Vec<usize> = (0..traces.len())
                .filter(|&thread| run.left(thread) > 0 && run.clone().step(thread).is_ok())
                .collect();
            if able.is_empty() {
                break;
            }
            let thread = able[random.below(able.len())];
            run.step(thread).ok()?;
            order.push(thread);
        }
        if run.complete().is_ok() {
            let values = (0..traces.len())
                .map(|thread| run.values(thread).iter().map(|v| v.unwrap_or(0)).collect());
            return Some((order, values.collect()));
        }
    }
    None
}

/// A condition that holds where the read has this value.
fn condition(random: &mut Random, read: usize, is: i128) -> Expression {
    let (read, value) = (Expression::Read(read), constant(is));
    match random.below(5) {
        0 => Expression::binary(Binary::AtMost, read, value),
        1 => Expression::binary(Binary::AtMost, value, read),
        2 => !Expression::binary(Binary::Different, read, value),
        3 => {
            let less = Expression::binary(Binary::Less, read.clone(), constant(is + 2));
            Expression::binary(Binary::And, less, Expression::binary(Binary::AtMost, value, read))
        }
        _ => Expression::binary(Binary::Equal, read, value),
    }
}

fn add_conditions(random: &mut Random, execution: &mut Execution, values: &[Vec<i128>]) -> bool {
    let mut asserted = false;
    for (thread, values) in values.iter().enumerate() {
        for (read, &value) in values.iter().enumerate() {
            let path = &mut execution.paths[thread];
            if random.one_in(4) {
                path.conditions.push(condition(random, read, value));
            } else if !asserted && random.one_in(2)
                || thread + 1 == execution.threads.len() && !asserted
            {
                asserted = true;
                let (read, value) = (Expression::Read(read), constant(value));
                path.assertion = Some(match random.below(3) {
                    0 => Expression::binary(Binary::Less, value, read),
                    1 => !Expression::binary(Binary::Equal, read, value),
                    _ => Expression::Unary(
                        Unary::Negate,
                        Box::new(Expression::binary(Binary::Different, read, value)),
                    ),
                });
            }
        }
    }
    asserted
}

/// Another path of a thread: writes left out, new ones, others in another order, or a read at its end.
fn other_path(random: &mut Random, path: &Path) -> Path {
    let mut other = path.clone();
    let flipped = random.below(other.branches.len());
    for (number, branch) in other.branches.iter_mut().enumerate() {
        branch.taken = number != flipped && random.below(3) > 0;
    }
    let writes =
        |step: &Step| matches!(&step.action, Action::Access { reads, .. } if reads.is_empty());
    for _ in 0..1 + random.below(3) {
        let place = random.below(other.steps.len());
        let woken = |place: usize, other: &Path| {
            other.steps.get(place).is_some_and(|s| matches!(s.action, Action::Woken { .. }))
        };
        match random.below(4) {
            0 if writes(&other.steps[place]) && other.steps.len() > 1 => {
                other.steps.remove(place);
            }
            1 if place > 0 && writes(&other.steps[place]) => {
                let constant_write = matches!(&other.steps[place].action,
                    Action::Access { writes, .. } if matches!(writes[0].1, Expression::Constant(_)));
                let target = random.below(place);
                if constant_write && !woken(target, &other) {
                    let moved = other.steps.remove(place);
                    other.steps.insert(target, moved);
                }
            }
            2 if !woken(place, &other) => {
                let write = vec![(random.below(LOCATIONS), constant(random.below(3) as i128))];
                let new = step(random, Action::Access { reads: Vec::new(), writes: write });
                other.steps.insert(place, new);
            }
            _ => {
                let reads = vec![random.below(LOCATIONS)];
                let new = step(random, Action::Access { reads, writes: Vec::new() });
                other.steps.push(new);
            }
        }
    }
    if random.one_in(2) {
        other.conditions.pop();
    }
    other
}

/// Threads that add to a counter, of which no step may be lost.
fn counting(random: &mut Random) -> Vec<Vec<Action>> {
    let threads = 2 + random.below(2);
    let read = || Action::Access { reads: vec![0], writes: Vec::new() };
    let mut all = vec![(1..=threads).map(Action::Fork).collect::<Vec<_>>()];
    for _ in 0..threads {
        let mut actions = Vec::new();
        for step in 0..1 + random.below(if threads == 2 { 3 } else { 2 }) {
            let add = constant(1 + random.below(2) as i128);
            let mut sum = Expression::binary(Binary::Add, Expression::Read(step), add);
            if random.one_in(3) {
                // Now and then so narrow that it wraps.
                let bits = [2, 8, 32][random.below(3)];
                sum = Expression::Wrap { bits, signed: random.one_in(2), value: Box::new(sum) };
            }
            let write = vec![(0, sum)];
            match random.one_in(4) {
                true => actions.push(Action::Access { reads: vec![0], writes: write }),
                false => {
                    actions.push(read());
                    actions.push(Action::Access { reads: Vec::new(), writes: write });
                }
            }
        }
        all.push(actions);
    }
    all[0].extend((1..=threads).map(Action::Join));
    all[0].push(read());
    all
}

fn added_by(value: &Expression) -> i128 {
    match value {
        Expression::Wrap { value, .. } | Expression::Binary(_, _, value) => added_by(value),
        Expression::Constant(add) => *add,
        _ => 0,
    }
}

/// Of a counter: in the end it holds this or more.
fn demand(random: &mut Random, execution: &mut Execution, seen: i128) -> bool {
    let added = |path: &Path| -> i128 {
        let of = |step: &Step| match &step.action {
            Action::Access { writes, .. } => match writes.first() {
                Some((_, value)) => added_by(value),
                None => 0,
            },
            _ => 0,
        };
        path.steps.iter().map(of).sum()
    };
    let most = execution.initial[0] + execution.paths.iter().map(added).sum::<i128>();
    let least = most - random.below(2) as i128;
    let read = Expression::Read(0);
    execution.paths[0].assertion = Some(match random.below(3) {
        0 => Expression::binary(Binary::AtMost, constant(least), read),
        1 => Expression::binary(Binary::Less, constant(least - 1), read),
        _ => Expression::binary(Binary::Equal, read, constant(most)),
    });
    seen < least
}

/// An execution that fails, if this attempt led to one.
pub fn execution(random: &mut Random) -> Option<Execution> {
    let counter = random.one_in(8);
    let actions = if counter { counting(random) } else { anything(random) };
    let threads = actions.len();
    let paths =
        actions.into_iter().enumerate().map(|(thread, actions)| path(random, thread, actions));
    let mut execution = Execution {
        threads: (0..threads).map(|thread| thread.to_string()).collect(),
        locations: (0..LOCATIONS).map(|location| format!("x{location}")).collect(),
        paths: paths.collect(),
        initial: (0..LOCATIONS).map(|_| random.below(2) as i128).collect(),
        objects: ["lock", "other", "semaphore", "barrier"].map(String::from).to_vec(),
        counts: vec![0, 0, random.below(2), 0],
        others: vec![Vec::new(); threads],
        ..Execution::default()
    };
    let (order, values) = some_order(random, &execution)?;
    let mut next = vec![0; threads];
    for thread in order {
        execution.failing.push(At { thread, step: next[thread] });
        next[thread] += 1;
    }
    let fails = match counter {
        true => demand(random, &mut execution, values[0][0]),
        false => add_conditions(random, &mut execution, &values),
    };
    if !fails {
        return None;
    }
    for thread in 0..if counter { 0 } else { threads } {
        for _ in 0..random.below(3) {
            let other = other_path(random, &execution.paths[thread]);
            if !execution.others[thread].contains(&other) {
                execution.others[thread].push(other);
            }
        }
    }
    Some(execution)
}

/// What the threads do, a few of every kind.
fn anything(random: &mut Random) -> Vec<Vec<Action>> {
    let threads = [2, 2, 2, 3, 3, 4][random.below(6)];
    let most = [0, 0, 8, 4, 2][threads];
    let parties = if random.one_in(3) { 2 } else { threads };
    let meet = random.one_in(5);
    let mut all = Vec::new();
    for thread in 0..threads {
        let mut draft = Draft::default();
        let length = 1 + random.below(most);
        if thread == 0 && random.one_in(3) {
            draft.actions.push(Action::Fork(1));
        }
        while draft.actions.len() < length {
            let room = most - draft.actions.len().min(most);
            draft.something(random, room, parties);
        }
        if meet {
            let place = random.below(2) * draft.actions.len();
            let meeting = [Action::Arrive { object: BARRIER, parties }, Action::Leave(BARRIER)];
            draft.actions.splice(place..place, meeting);
        }
        if thread == 0 && random.one_in(3) {
            draft.actions.push(Action::Join(1));
            draft.actions.push(Action::Access { reads: vec![0], writes: Vec::new() });
        }
        all.push(draft.actions);
    }
    all
}
