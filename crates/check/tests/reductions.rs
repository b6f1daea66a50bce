//! Random small programs of a language of their own: with and without a reduction the search must see the same ends.

use std::collections::BTreeSet;
use unpick_check::{Counts, Ending, Limits, Order, Outcome, Reduction, Search, System, Watch};

#[derive(Clone, Debug, PartialEq)]
enum Op {
    /// The register gets the variable's value.
    Read(usize),
    Write(usize, u8),
    /// The variable gets the register's value plus one.
    WriteNext(usize),
    /// The register gets 0 or 1: two states.
    Choose,
    Lock(usize),
    Unlock(usize),
    /// 1 in the register if it was free.
    TryLock(usize),
    Post,
    Take,
    /// Where the register has another value this is no run.
    Assume(u8),
    /// Ends the process where the register has this value.
    EndIf(u8),
    Skip(u8, usize),
    /// The next thread that is not there yet begins.
    Create,
}

#[derive(Clone, Debug, PartialEq)]
struct Did {
    object: usize,
    write: bool,
    kind: Op,
    all: bool,
}

#[derive(Clone)]
struct State {
    variables: [u8; 2],
    locks: [Option<usize>; 2],
    count: u8,
    at: Vec<usize>,
    registers: Vec<u8>,
    did: Vec<Did>,
    end: Option<Ending>,
    /// How many threads there are.
    created: usize,
    /// Who has taken its first step.
    begun: Vec<bool>,
}

struct Toy {
    program: Vec<Vec<Op>>,
    /// Threads that are there from the beginning.
    first: usize,
    ends: BTreeSet<String>,
}

impl Toy {
    fn visible(op: &Op) -> bool {
        !matches!(op, Op::Choose | Op::Assume(_) | Op::EndIf(_) | Op::Skip(..))
    }

    fn next(&self, state: &State, thread: usize) -> Option<&Op> {
        self.program[thread].get(state.at[thread])
    }

    /// Runs over what others cannot notice.
    fn settle(&self, state: State, thread: usize, out: &mut Vec<State>) {
        let mut state = state;
        loop {
            match self.next(&state, thread) {
                Some(Op::Choose) => {
                    for value in 0..2 {
                        let mut fork = state.clone();
                        fork.at[thread] += 1;
                        fork.registers[thread] = value;
                        self.settle(fork, thread, out);
                    }
                    return;
                }
                Some(Op::Assume(value)) if state.registers[thread] != *value => {
                    state.end = Some(Ending::Discarded);
                    break;
                }
                Some(Op::EndIf(value)) if state.registers[thread] == *value => {
                    state.end = Some(Ending::Ended);
                    break;
                }
                Some(Op::Skip(value, n)) => {
                    let n = if state.registers[thread] == *value { *n } else { 0 };
                    state.at[thread] = (state.at[thread] + 1 + n).min(self.program[thread].len());
                }
                Some(op) if !Toy::visible(op) => state.at[thread] += 1,
                _ => break,
            }
        }
        out.push(state);
    }
}

impl System for Toy {
    type State = State;
    type Operation = Did;

    fn start(&mut self) -> Vec<State> {
        self.ends.clear();
        let n = self.program.len();
        let state = State {
            variables: [0; 2],
            locks: [None; 2],
            count: 0,
            at: vec![0; n],
            registers: vec![0; n],
            did: Vec::new(),
            end: None,
            created: self.first,
            begun: (0..n).map(|thread| thread < self.first).collect(),
        };
        let mut states = vec![state];
        for thread in 0..self.first {
            let mut all = Vec::new();
            for state in states {
                match state.end {
                    Some(_) => all.push(state),
                    None => self.settle(state, thread, &mut all),
                }
            }
            states = all;
        }
        states
    }

    fn threads(&self, state: &State) -> usize {
        state.created
    }

    fn pending(&self, state: &State, thread: usize) -> Option<Did> {
        if !state.begun[thread] {
            return Some(Did { object: 100 + thread, write: true, kind: Op::Create, all: false });
        }
        let op = self.next(state, thread)?;
        let (object, write) = match op {
            Op::Create => (100 + state.created, true),
            Op::Read(v) => (*v, false),
            Op::Write(v, _) | Op::WriteNext(v) => (*v, true),
            Op::Lock(m) | Op::Unlock(m) | Op::TryLock(m) => (10 + m, true),
            _ => (20, true),
        };
        Some(Did { object, write, kind: op.clone(), all: false })
    }

    fn enabled(&self, state: &State, thread: usize) -> bool {
        match self.next(state, thread) {
            _ if !state.begun[thread] => true,
            Some(Op::Lock(m)) => state.locks[*m].is_none(),
            Some(Op::Take) => state.count > 0,
            next => next.is_some(),
        }
    }

    fn step(&mut self, mut state: State, thread: usize) -> Vec<State> {
        let mut did = self.pending(&state, thread).unwrap();
        if !state.begun[thread] {
            state.begun[thread] = true;
            state.did = vec![did];
            let mut all = Vec::new();
            self.settle(state, thread, &mut all);
            return all;
        }
        match did.kind {
            Op::Read(v) => state.registers[thread] = state.variables[v],
            Op::Write(v, value) => state.variables[v] = value,
            Op::WriteNext(v) => state.variables[v] = state.registers[thread].wrapping_add(1),
            Op::Lock(m) => state.locks[m] = Some(thread),
            Op::Unlock(m) if state.locks[m] == Some(thread) => state.locks[m] = None,
            Op::Unlock(_) => did.write = false,
            Op::TryLock(m) => {
                let free = state.locks[m].is_none();
                state.registers[thread] = free as u8;
                did.write = free;
                if free {
                    state.locks[m] = Some(thread);
                }
            }
            Op::Post => state.count += 1,
            Op::Take => state.count -= 1,
            // Threads are numbered in the order of their creation: two of these do not commute.
            Op::Create if state.created < self.program.len() => state.created += 1,
            Op::Create => did.write = false,
            _ => unreachable!(),
        }
        state.at[thread] += 1;
        state.did = vec![did];
        let mut all = Vec::new();
        self.settle(state, thread, &mut all);
        all
    }

    fn did(&self, state: &State) -> Vec<Did> {
        state.did.clone()
    }

    fn ending(&mut self, state: &mut State) -> Option<Ending> {
        // What others have done by then depends on the order: what the ending thread has seen does not.
        if state.end == Some(Ending::Ended) {
            self.ends.insert(format!("end {:?}", state.did.last().map(|did| &did.kind)));
        }
        state.end
    }

    fn stuck(&mut self, state: &mut State) -> Ending {
        let State { variables, locks, count, at, registers, .. } = state;
        self.ends.insert(format!("{variables:?} {locks:?} {count} {at:?} {registers:?}"));
        Ending::Ended
    }

    fn conflict(&self, one: (usize, &Did), two: (usize, &Did)) -> bool {
        let creates = |did: &Did| did.kind == Op::Create;
        creates(one.1) && creates(two.1)
            || one.1.all
            || two.1.all
            || one.1.object == two.1.object && (one.1.write || two.1.write)
    }

    fn waits(&self, operation: &Did) -> bool {
        matches!(operation.kind, Op::Lock(_) | Op::Take)
    }

    fn gives(&self, first: &Did, later: &Did) -> bool {
        first.write && matches!((&first.kind, &later.kind), (Op::Unlock(a), Op::Lock(b)) if a == b)
    }

    fn learned(&mut self) -> bool {
        false
    }
}

struct Patience;

impl Watch<Toy> for Patience {
    fn pause(&mut self, counts: &Counts) -> Option<String> {
        (counts.steps > 300_000).then(|| "too long".to_string())
    }
}

fn ends(
    program: &[Vec<Op>],
    order: Order,
    reduction: Reduction,
) -> Option<(BTreeSet<String>, Counts)> {
    let first = if program[0].contains(&Op::Create) { 1 } else { program.len() };
    let mut toy = Toy { program: program.to_vec(), first, ends: BTreeSet::new() };
    let mut search = Search::new(&mut toy, order, reduction, Limits::default());
    let outcome = search.run(&mut Patience);
    let counts = search.counts;
    matches!(outcome, Outcome::Exhausted { .. }).then_some((toy.ends, counts))
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut value = self.0;
        value = (value ^ (value >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        value = (value ^ (value >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (value ^ (value >> 31)) % n
    }
}

fn program(random: &mut Random) -> Vec<Vec<Op>> {
    let threads = 2 + random.below(2);
    let kinds = [4, 12][random.below(2) as usize];
    let op = |random: &mut Random| {
        let which = random.below(2) as usize;
        match random.below(kinds) {
            0 => Op::Read(which),
            1 => Op::Write(which, 1 + random.below(2) as u8),
            2 => Op::WriteNext(which),
            3 => Op::Skip(random.below(2) as u8, 1),
            4 => Op::Choose,
            5 | 11 => Op::Lock(which),
            6 => Op::Unlock(which),
            7 => Op::TryLock(which),
            8 => Op::Post,
            9 => Op::Take,
            _ => match random.below(3) {
                0 => Op::EndIf(random.below(3) as u8),
                _ => Op::Assume(random.below(3) as u8),
            },
        }
    };
    let creates = random.below(2) == 0;
    let mut program: Vec<Vec<Op>> = (0..threads)
        .map(|_| {
            let n = 1 + random.below(4);
            (0..n).map(|_| op(random)).collect()
        })
        .collect();
    for _ in 1..if creates { threads } else { 1 } {
        let at = random.below(program[0].len() as u64 + 1) as usize;
        program[0].insert(at, Op::Create);
    }
    program
}

#[test]
fn reductions_see_the_same_ends() {
    let (mut all, mut reduced, mut sleeping) = (0, 0, 0);
    for seed in 0..2_000 {
        let program = program(&mut Random(seed << 20));
        let Some((expected, counts)) = ends(&program, Order::Reverse, Reduction::None) else {
            continue;
        };
        all += counts.interleavings;
        for order in [Order::Reverse, Order::RoundRobin, Order::Ascending] {
            for reduction in [Reduction::Monotonic, Reduction::Dpor] {
                let (seen, counts) = ends(&program, order, reduction).expect("less than without");
                assert_eq!(seen, expected, "{reduction:?} {order:?} seed {seed}: {program:#?}");
                if reduction == Reduction::Dpor && order == Order::Reverse {
                    reduced += counts.interleavings;
                    sleeping += counts.redundant;
                }
            }
        }
    }
    println!("{all} interleavings, {reduced} with the reduction, {sleeping} in vain");
    assert!(reduced * 2 < all);
}
