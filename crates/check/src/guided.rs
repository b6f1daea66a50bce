//! A search that keeps near to what a witness tells: whoever it names goes on until it has passed the line.
//!
//! A witness leaves open how much of a line was done when the next thread went on, and what was done on lines that it
//! does not mention. So first the run is tried in which each step of the witness is one of ours, and the one in which it
//! is all that its line does; then runs that differ from these at one place, at two, and so on (limited discrepancy
//! search). Values that came from outside are those of the witness where it tells them, else the solver's.

use crate::checker::{Counterexample, Settings, counterexample, options, without_bodies};
use crate::engine::Engine;
use crate::foreign::{Guide, Hint, Told};
use crate::system::{Ending, System};
use crate::witness::Spot;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::time::Instant;
use unpick_ir::{Action, Callee, Function, Operand, Place, Program};
use unpick_symex::{FailureKind, Machine, State, Visibility};

/// What came of a witness.
pub enum Followed {
    /// It leads to this; `elsewhere`: which is not where the witness ends.
    Bug { found: Box<Counterexample>, elsewhere: bool },
    /// It leads to no failure, and how that was seen.
    Nowhere(String),
}

/// Places at which a run may differ from what the witness tells.
const DIFFERENCES: u32 = 4;
/// Steps of all runs that differ at so many places.
const STEPS: u64 = 200_000;
/// Rounds of a loop.
const ROUNDS: u32 = 4096;

/// How much of a line one step of the witness stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Grain {
    Access,
    Statement,
}

pub fn follow(
    program: &Program,
    settings: &Settings,
    guide: &Guide,
    pause: &mut dyn FnMut() -> Option<String>,
) -> Followed {
    let program = Rc::new(without_bodies(program));
    let hints = noticeable(&program, guide);
    let mut options = options(settings);
    (options.unwind, options.visibility) = (Some(ROUNDS), Visibility::All);
    let machine = Machine::new(program.clone(), options);
    let mut engine = Engine::new(machine, settings.properties.clone());
    let target = guide.hints.last().map_or(0, |hint| hint.line);
    let mut elsewhere: Option<Box<Counterexample>> = None;
    // Its inputs first: without them any failure that there is would do.
    for bound in [true, false] {
        for differences in 0..=DIFFERENCES {
            for grain in [Grain::Access, Grain::Statement] {
                let mut walk = Walk {
                    engine: &mut engine,
                    values: if bound { values(&guide.hints) } else { BTreeMap::new() },
                    hints: &hints,
                    grain,
                    differences,
                    deadline: settings.deadline,
                    target,
                    elsewhere: &mut elsewhere,
                };
                match walk.run(pause) {
                    Over::Failed(found) => return Followed::Bug { found, elsewhere: false },
                    Over::Stopped(why) => return or_else(elsewhere, why),
                    Over::Nothing => {}
                }
            }
        }
        if values(&guide.hints).is_empty() {
            break;
        }
    }
    let steps = hints.len();
    or_else(
        elsewhere,
        format!(
            "no run fails that follows its {steps} steps, or differs from them at {DIFFERENCES} places at most"
        ),
    )
}

/// What was found elsewhere is better than nothing.
fn or_else(elsewhere: Option<Box<Counterexample>>, why: String) -> Followed {
    match elsewhere {
        Some(found) => Followed::Bug { found, elsewhere: true },
        None => Followed::Nowhere(why),
    }
}

/// Values from outside, thread by thread, in order.
fn values(hints: &[Hint]) -> BTreeMap<usize, Vec<(u32, Told)>> {
    let mut values: BTreeMap<usize, Vec<(u32, Told)>> = BTreeMap::new();
    for hint in hints {
        if let Some(value) = &hint.value {
            values.entry(hint.thread.unwrap_or(0)).or_default().push((hint.line, value.clone()));
        }
    }
    values
}

/// The steps on lines where something is done that others could notice: of the others no run knows when they are passed.
fn noticeable(program: &Program, guide: &Guide) -> Vec<Hint> {
    let mut lines: BTreeSet<(String, u32)> = BTreeSet::new();
    for function in &program.functions {
        let instructions = function.blocks.iter().flat_map(|block| &block.instructions);
        for instruction in instructions {
            if is_noticeable(program, function, &instruction.action) {
                let file = name_of(program, &instruction.place).to_string();
                lines.insert((file, instruction.place.line));
            }
        }
    }
    // What has no place has a file without a name.
    let names = program.files.iter().map(|file| base(file)).filter(|name| !name.is_empty());
    let ours: BTreeSet<&str> = names.collect();
    let known = |hint: &&Hint| {
        let file = Some(&hint.file).filter(|file| ours.contains(&***file));
        match file {
            Some(file) => lines.contains(&(file.clone(), hint.line)),
            None => lines.iter().any(|(_, line)| *line == hint.line),
        }
    };
    let mut hints: Vec<Hint> = guide.hints.iter().filter(known).cloned().collect();
    for hint in &mut hints {
        // The file may have had another name there.
        if !ours.contains(&*hint.file) {
            hint.file.clear();
        }
    }
    hints
}

fn is_noticeable(program: &Program, function: &Function, action: &Action) -> bool {
    match action {
        Action::Load { address, .. } | Action::Store { address, .. } => {
            !is_local(function, address, 8)
        }
        Action::Modify { .. } | Action::CompareExchange { .. } | Action::Fence(_) => true,
        Action::Call { callee: Callee::Function(callee), .. } => {
            let called = program.function(*callee);
            let silent = ["llvm.", "__VERIFIER_nondet", "printf", "puts", "unpick"];
            called.blocks.is_empty() && !silent.iter().any(|name| called.name.starts_with(name))
        }
        _ => false,
    }
}

/// Is it an address in a local variable of the function?
fn is_local(function: &Function, address: &Operand, depth: u32) -> bool {
    let Operand::Register(register) = address else { return false };
    let mut all = function.blocks.iter().flat_map(|block| &block.instructions);
    let made = all.find(|instruction| instruction.result == Some(*register));
    match made.map(|instruction| &instruction.action) {
        Some(Action::Allocate { .. }) => true,
        Some(Action::Offset { base, .. }) if depth > 0 => is_local(function, base, depth - 1),
        _ => false,
    }
}

fn base(file: &str) -> &str {
    file.rsplit('/').next().unwrap_or(file)
}

fn name_of<'p>(program: &'p Program, place: &Place) -> &'p str {
    program.files.get(place.file as usize).map_or("", |file| base(file))
}

/// A state on its way.
#[derive(Clone)]
struct Walker {
    state: State,
    /// The step of the witness that comes next.
    at: usize,
    current: usize,
    /// The line that the current thread has passed last.
    passed: u32,
    /// Places at which it may still differ.
    left: u32,
    /// Inputs that were looked at.
    bound: usize,
    /// Values of each thread that were given.
    given: BTreeMap<usize, usize>,
}

enum Over {
    Failed(Box<Counterexample>),
    Nothing,
    Stopped(String),
}

struct Walk<'a> {
    engine: &'a mut Engine,
    hints: &'a [Hint],
    values: BTreeMap<usize, Vec<(u32, Told)>>,
    grain: Grain,
    differences: u32,
    deadline: Option<Instant>,
    /// The line at which the witness ends.
    target: u32,
    /// The first failure that was met at another line.
    elsewhere: &'a mut Option<Box<Counterexample>>,
}

/// A thread that may go on, the next step of the witness after that, and what it costs.
struct Move {
    thread: usize,
    at: usize,
    cost: u32,
}

impl Walk<'_> {
    /// All runs within the bounds, the nearest first. What is shared comes out as well, so it may start over.
    fn run(&mut self, pause: &mut dyn FnMut() -> Option<String>) -> Over {
        let mut steps = STEPS;
        loop {
            match self.pass(&mut steps, pause) {
                Some(over) => return over,
                None if steps == 0 => return Over::Nothing,
                None => {}
            }
        }
    }

    fn pass(&mut self, steps: &mut u64, pause: &mut dyn FnMut() -> Option<String>) -> Option<Over> {
        let (left, bound) = (self.differences, 0);
        let begin = |state| Walker {
            state,
            at: 0,
            current: 0,
            passed: 0,
            left,
            bound,
            given: BTreeMap::new(),
        };
        let mut open: Vec<Walker> = self.engine.start().into_iter().rev().map(begin).collect();
        while let Some(mut walker) = open.pop() {
            if *steps == 0 {
                return Some(Over::Nothing);
            }
            *steps -= 1;
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if let Some(why) = pause().or_else(|| late.then(|| "time limit".into())) {
                return Some(Over::Stopped(why));
            }
            self.bind(&mut walker);
            if let Some(ending) = self.engine.ending(&mut walker.state) {
                if ending == Ending::Failed
                    && let Some(found) = self.failed(&walker.state)
                {
                    return Some(Over::Failed(found));
                }
                continue;
            }
            if self.engine.is_running(&walker.state) {
                let state = std::mem::take(&mut walker.state);
                let next = self.engine.resume(state);
                open.extend(next.into_iter().rev().map(|state| Walker { state, ..walker.clone() }));
            } else {
                let moves = self.moves(&walker);
                if moves.is_empty()
                    && self.engine.stuck(&mut walker.state) == Ending::Failed
                    && let Some(found) = self.failed(&walker.state)
                {
                    return Some(Over::Failed(found));
                }
                // The last one that is put there is the first one tried.
                for Move { thread, at, cost } in moves.into_iter().rev() {
                    let Some(left) = walker.left.checked_sub(cost) else { continue };
                    let (_, passed) = self.pending(&walker, thread);
                    let next = self.engine.step(walker.state.clone(), thread);
                    let on = |state| Walker {
                        state,
                        at,
                        current: thread,
                        passed,
                        left,
                        ..walker.clone()
                    };
                    open.extend(next.into_iter().rev().map(on));
                }
            }
            if self.engine.learned() {
                return None;
            }
        }
        Some(Over::Nothing)
    }

    /// The failure, if the witness may mean it.
    fn failed(&mut self, state: &State) -> Option<Box<Counterexample>> {
        let found = Box::new(counterexample(self.engine, state, &[], None));
        let there = |spot: &Spot| spot.line == self.target;
        let here = there(&found.spot) || found.stack.iter().any(there);
        if here || self.target == 0 || found.kind == FailureKind::Deadlock {
            return Some(found);
        }
        self.elsewhere.get_or_insert(found);
        None
    }

    fn pending(&self, walker: &Walker, thread: usize) -> (&str, u32) {
        let pending = walker.state.threads.get(thread).and_then(|one| one.pending.as_ref());
        match pending {
            Some(pending) => {
                (name_of(&self.engine.machine.program, &pending.place), pending.place.line)
            }
            None => ("", 0),
        }
    }

    /// Is the thread about to do something on the line of the hint?
    fn is_there(&self, walker: &Walker, thread: usize, hint: &Hint) -> bool {
        let (file, line) = self.pending(walker, thread);
        line == hint.line && (hint.file.is_empty() || hint.file == file)
    }

    /// The next step of the witness once the thread has gone on: of its steps up to the next thread's, one on this line
    /// is passed.
    fn after(&self, walker: &Walker, thread: usize) -> usize {
        let own = |hint: &&Hint| hint.thread.is_none_or(|it| it == thread);
        let mut mine = self.hints[walker.at..].iter().take_while(own);
        match mine.position(|hint| self.is_there(walker, thread, hint)) {
            Some(found) => walker.at + found + 1,
            None => walker.at,
        }
    }

    /// Where the steps of the present thread end.
    fn next_turn(&self, at: usize) -> usize {
        let Some(thread) = self.hints.get(at).map(|hint| hint.thread) else { return at };
        at + self.hints[at..].iter().take_while(|hint| hint.thread == thread).count()
    }

    /// Who may go on, whom the witness means first.
    fn moves(&self, walker: &Walker) -> Vec<Move> {
        let threads = 0..walker.state.threads.len();
        let able: Vec<usize> =
            threads.filter(|thread| self.engine.enabled(&walker.state, *thread)).collect();
        let mut moves: Vec<Move> = Vec::new();
        let add = |moves: &mut Vec<Move>, thread: usize, at: usize, cost: u32| {
            let known = |one: &Move| (one.thread, one.at) == (thread, at);
            if able.contains(&thread) && !moves.iter().any(known) {
                moves.push(Move { thread, at, cost });
            }
        };
        let current = walker.current;
        let meant = self.meant(walker, &able);
        let stays = current != meant && self.grain == Grain::Statement && {
            let (_, line) = self.pending(walker, current);
            line != 0 && line == walker.passed
        };
        if stays {
            add(&mut moves, current, walker.at, 0);
        }
        let cost = u32::from(!moves.is_empty());
        add(&mut moves, meant, self.after(walker, meant), cost);
        if moves.is_empty() {
            // It has to wait. Whoever has nothing to do that the witness mentions goes on for it.
            let unheard = |thread: &&usize| {
                let mine = |hint: &&Hint| hint.thread == Some(**thread);
                let next = self.hints[walker.at..].iter().find(mine);
                next.is_none_or(|hint| !self.is_there(walker, **thread, hint))
            };
            let helper = able.iter().find(|thread| **thread == current && unheard(thread));
            if let Some(helper) = helper.or_else(|| able.iter().find(unheard)) {
                add(&mut moves, *helper, walker.at, 0);
            }
        }
        // Or the witness leaves its thread here.
        let turn = self.next_turn(walker.at);
        if turn > walker.at {
            let later = Walker { at: turn, ..walker.clone() };
            let next = self.meant(&later, &able);
            let cost = u32::from(!moves.is_empty());
            add(&mut moves, next, self.after(&later, next), cost);
        }
        // Or somebody does something that the witness leaves out.
        let mut others = able.clone();
        others.sort_by_key(|thread| *thread != current);
        for thread in others {
            let cost = u32::from(!moves.is_empty());
            if !moves.iter().any(|one| one.thread == thread) {
                add(&mut moves, thread, walker.at, cost);
            }
        }
        moves
    }

    /// Whom the next step of the witness is about; where it names nobody, whoever is there.
    fn meant(&self, walker: &Walker, able: &[usize]) -> usize {
        let current = walker.current;
        match self.hints.get(walker.at) {
            Some(Hint { thread: Some(thread), .. }) if *thread < walker.state.threads.len() => {
                *thread
            }
            // It is still to be created.
            Some(Hint { thread: Some(_), .. }) => able.first().copied().unwrap_or(current),
            Some(hint) => {
                let there = |thread: &usize| self.is_there(walker, *thread, hint);
                let first = Some(current).filter(|it| able.contains(it) && there(it));
                let other = || able.iter().copied().find(there);
                first.or_else(other).unwrap_or(current)
            }
            None => current,
        }
    }

    /// What came from outside is what the witness tells, where the way that was taken allows that.
    fn bind(&mut self, walker: &mut Walker) {
        let inputs = walker.state.inputs.clone();
        for input in inputs.iter().skip(walker.bound) {
            let Some(values) = self.values.get(&input.thread) else { continue };
            let given = walker.given.entry(input.thread).or_default();
            let rest = &values[(*given).min(values.len())..];
            let here = |(line, _): &(u32, Told)| *line == input.place.line;
            let returned = |(_, value): &(u32, Told)| matches!(value, Told::Returned(_));
            let found = rest.iter().position(here).or_else(|| rest.iter().position(returned));
            let Some(found) = found else { continue };
            *given += found + 1;
            let (Told::Returned(value) | Told::Holds(value)) = rest[found].1;
            let machine = &mut self.engine.machine;
            let width = machine.terms.width(input.term);
            let mask = if width >= 128 { u128::MAX } else { (1 << width) - 1 };
            let bits = machine.terms.bits(width, value as u128 & mask);
            let same = machine.terms.eq(input.term, bits);
            let mut path = walker.state.path.clone();
            path.push(same);
            if machine.model(&path).is_some() {
                walker.state.path = path;
            }
        }
        walker.bound = inputs.len();
    }
}
