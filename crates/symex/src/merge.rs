//! Joining states again where the two sides of a branch rejoin.
//!
//! Both sides are executed up to the block through which they must go (the branch's postdominator), and the states are
//! made one, with a choice wherever they differ. That costs terms instead of paths: good where a side only computes
//! a little. So it is done only where both sides are short, nobody could notice anything, nothing was allocated, printed or
//! asked from outside, and few bytes differ; otherwise the branch forks. Branches that did not merge several times in
//! a row are not tried again.
//!
//! Native events must be equally many on both sides, because a schedule counts them.

use crate::end::Stop;
use crate::machine::Machine;
use crate::memory::{Byte, Object, Slot};
use crate::state::{Frame, State, Thread};
use std::collections::BTreeMap;
use std::rc::Rc;
use unpick_ir::{BlockId, FunctionId, Program, Register, Type};
use unpick_smt::Term;

/// Instructions of a side.
const LONGEST: u32 = 200;
/// Branches inside of branches.
const DEEPEST: u32 = 4;
/// Bytes of memory that differ.
const MOST_BYTES: u64 = 64;
/// Failed attempts in a row.
const PATIENCE: u8 = 3;

/// How merging has gone so far.
#[derive(Clone, Debug, Default)]
pub struct Merging {
    depth: u32,
    failed: BTreeMap<(FunctionId, BlockId), u8>,
    /// Branches that did not fork.
    pub merged: u64,
}

impl Machine {
    /// Executes both sides of the branch that the thread is at, up to where they rejoin; `true`: the state is now
    /// there. Otherwise it is as it was.
    pub(crate) fn merge_branch(
        &mut self,
        program: &Program,
        state: &mut State,
        thread: usize,
        condition: Term,
        sides: [BlockId; 2],
    ) -> bool {
        let frame = state.frame(thread);
        let (function, block) = (frame.function, frame.block);
        let Some(join) = self.flows[function.0 as usize].rejoins(block) else { return false };
        let failed = self.merging.failed.get(&(function, block)).copied().unwrap_or(0);
        let granted = state.threads[thread].granted;
        if failed >= PATIENCE || self.merging.depth >= DEEPEST || granted {
            return false;
        }
        self.merging.depth += 1;
        let merged = self.both_sides(program, state, thread, condition, sides, join);
        self.merging.depth -= 1;
        let failures = self.merging.failed.entry((function, block)).or_default();
        match merged {
            Some(merged) => {
                *failures = 0;
                self.merging.merged += 1;
                *state = merged;
                true
            }
            None => {
                *failures += 1;
                false
            }
        }
    }

    fn both_sides(
        &mut self,
        program: &Program,
        state: &State,
        thread: usize,
        condition: Term,
        sides: [BlockId; 2],
        join: BlockId,
    ) -> Option<State> {
        let opposite = self.terms.not(condition);
        let one = self.side(program, state, thread, condition, sides[0], join)?;
        let two = self.side(program, state, thread, opposite, sides[1], join)?;
        self.join_states(program, state, condition, one, two, thread, join)
    }

    /// One side, to its end; `None` where anything happens that is more than computing.
    fn side(
        &mut self,
        program: &Program,
        state: &State,
        thread: usize,
        condition: Term,
        first: BlockId,
        join: BlockId,
    ) -> Option<State> {
        let mut side = state.clone();
        side.path.push(condition);
        let depth = state.threads[thread].frames.len();
        let mut done: Result<(), Stop> = self.jump(program, &mut side, thread, first);
        for _ in 0..LONGEST {
            done.ok()?;
            let frames = &side.threads[thread].frames;
            if frames.len() < depth {
                return None;
            }
            if frames.len() == depth && frames[depth - 1].block == join && frames[depth - 1].at == 0
            {
                return Some(side);
            }
            self.instructions += 1;
            done = self.execute(program, &mut side, thread);
        }
        None
    }

    #[allow(clippy::too_many_arguments)]
    fn join_states(
        &mut self,
        program: &Program,
        before: &State,
        condition: Term,
        mut one: State,
        two: State,
        thread: usize,
        join: BlockId,
    ) -> Option<State> {
        if !only_computed(before, &one, thread) || !only_computed(before, &two, thread) {
            return None;
        }
        let mine = self.join_threads(
            program,
            condition,
            &one.threads[thread],
            &two.threads[thread],
            join,
        )?;
        let differing = one.memory.differences(&two.memory);
        let mut bytes = 0;
        for id in differing {
            match (one.memory.slot(id).clone(), two.memory.slot(id)) {
                (Slot::Live(first), Slot::Live(second)) => {
                    let object =
                        self.join_objects(condition, &mut one, &first, second, thread, &mut bytes)?;
                    one.memory.insert(object);
                }
                // A local variable of a function that only one side called.
                (Slot::Absent, Slot::Returned) => one.memory.slot_put(id, Slot::Returned),
                (Slot::Returned, Slot::Absent) => {}
                _ => return None,
            }
        }
        let unknowns = one.threads[thread].unknowns;
        one.threads[thread] = Rc::new(Thread { unknowns, ..mine });
        one.path = before.path.clone();
        Some(one)
    }

    fn join_threads(
        &mut self,
        program: &Program,
        condition: Term,
        one: &Thread,
        two: &Thread,
        join: BlockId,
    ) -> Option<Thread> {
        let (top, below) = one.frames.split_last()?;
        let (other_top, other_below) = two.frames.split_last()?;
        let same_below = below.iter().zip(other_below).all(|(one, two)| Rc::ptr_eq(one, two));
        if !same_below
            || top.locals != other_top.locals
            || top.stage != other_top.stage
            || one.events != two.events
        {
            return None;
        }
        let frame = self.join_frames(program, condition, top, other_top, join);
        let mut frames = below.to_vec();
        frames.push(Rc::new(frame));
        let mut made = one.made.clone();
        if !Rc::ptr_eq(&made, &two.made) {
            let made = Rc::make_mut(&mut made);
            for (site, count) in two.made.iter() {
                let known = made.entry(*site).or_default();
                *known = (*known).max(*count);
            }
        }
        Some(Thread { frames, made, ..one.clone() })
    }

    /// Where registers differ they are dead, but for those that the block they meet in has just set.
    fn join_frames(
        &mut self,
        program: &Program,
        condition: Term,
        one: &Frame,
        two: &Frame,
        join: BlockId,
    ) -> Frame {
        let block = &program.functions[one.function.0 as usize].blocks[join.0 as usize];
        let phis: Vec<Register> = block.phis.iter().map(|phi| phi.result).collect();
        let mut frame = one.clone();
        for (at, (first, second)) in one.registers.iter().zip(&two.registers).enumerate() {
            if first != second {
                frame.registers[at] = if phis.contains(&Register(at as u32)) {
                    self.either(condition, first, second)
                } else {
                    crate::value::Value::Undefined
                };
            }
        }
        for (head, count) in &two.loops {
            match frame.loops.iter_mut().find(|(known, _)| known == head) {
                Some((_, known)) => *known = (*known).max(*count),
                None => frame.loops.push((*head, *count)),
            }
        }
        frame
    }

    /// An object with a choice wherever its bytes differ, in pieces as large as they can be.
    fn join_objects(
        &mut self,
        condition: Term,
        state: &mut State,
        one: &Rc<Object>,
        two: &Rc<Object>,
        thread: usize,
        bytes: &mut u64,
    ) -> Option<Object> {
        let mut joined = (**one).clone();
        joined.readers |= two.readers;
        joined.writers |= two.writers;
        if one.same_contents(two) {
            return Some(joined);
        }
        let mut at = 0;
        while at < one.size {
            if one.byte(at) == two.byte(at) {
                at += 1;
                continue;
            }
            let (first, size) = piece(one, two, at);
            *bytes += size;
            if *bytes > MOST_BYTES {
                return None;
            }
            self.join_piece(condition, state, one, two, thread, (first, size), &mut joined)?;
            at = first + size;
        }
        Some(joined)
    }

    #[allow(clippy::too_many_arguments)]
    fn join_piece(
        &mut self,
        condition: Term,
        state: &mut State,
        one: &Object,
        two: &Object,
        thread: usize,
        (first, size): (u64, u64),
        joined: &mut Object,
    ) -> Option<()> {
        let mut pieces = [one.bytes(first, size as usize), two.bytes(first, size as usize)];
        let unwritten = pieces.iter().flatten().any(|byte| *byte == Byte::Unwritten);
        // What was never written would seem to matter where it does not.
        if unwritten && self.options.checks.uninitialised {
            return None;
        }
        for byte in pieces.iter_mut().flatten() {
            if *byte == Byte::Unwritten {
                *byte = Byte::Part(self.unwritten_value(state, thread, 8), 0);
            }
        }
        let (first_value, second_value) = (self.join(&pieces[0]), self.join(&pieces[1]));
        let value = self.either(condition, &first_value, &second_value);
        let kind = Type::Bits(8 * size as u32);
        let width = self.scalar_width(&kind);
        let term = self.term(&value, width);
        match self.terms.as_bits(term) {
            Some(bits) => joined.put_bytes(first, &bits.to_le_bytes()[..size as usize]),
            None => joined.put_term(first, size as usize, term),
        }
        Some(())
    }
}

/// The aligned piece of up to 8 bytes around a byte that covers what differs there.
fn piece(one: &Object, two: &Object, at: u64) -> (u64, u64) {
    let differs = |at: u64| at < one.size && one.byte(at) != two.byte(at);
    let mut size = 1;
    for larger in [2, 4, 8] {
        let first = at / larger * larger;
        let fits = first + larger <= one.size;
        let behind = (at + 1..first + larger).any(differs);
        if fits && behind {
            size = larger;
        }
    }
    (at / size * size, size)
}

/// Since then the thread did nothing but compute: nobody noticed anything, nothing came from outside.
fn only_computed(before: &State, after: &State, thread: usize) -> bool {
    let others = before.threads.iter().zip(&after.threads).enumerate();
    let (was, is) = (&before.threads[thread], &after.threads[thread]);
    before.threads.len() == after.threads.len()
        && others.filter(|(at, _)| *at != thread).all(|(_, (one, two))| Rc::ptr_eq(one, two))
        && after.path.len() == before.path.len() + 1
        && after.output.len() == before.output.len()
        && Rc::ptr_eq(&before.inputs, &after.inputs)
        && Rc::ptr_eq(&before.havoc, &after.havoc)
        && Rc::ptr_eq(&before.answers, &after.answers)
        && Rc::ptr_eq(&before.at_exit, &after.at_exit)
        && Rc::ptr_eq(&before.unwritten, &after.unwritten)
        && Rc::ptr_eq(&was.own, &is.own)
        && Rc::ptr_eq(&was.exceptions, &is.exceptions)
        && was.unknowns == is.unknowns
        && was.covered == is.covered
        && was.choice == is.choice
        && after.end.is_none()
        && after.sync.same_as(&before.sync)
        && is.extra.same_as(&was.extra)
}
