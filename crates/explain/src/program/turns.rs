//! Where a thread of a run could have gone another way, and the order of which that is asked.
//!
//! A run that passes has its path conditions; each of them, negated, is a question: in which order of the same operations
//! would the thread have turned off there? What it would have done behind that is unknown, so its path ends there. The
//! program itself says what comes of it.

use super::paths::shortened;
use super::{Counts, LATER, Walked};
use crate::execution::{Action, At, Execution, Path, Place};
use crate::explain::Explanation;
use unpick_ir::{Action as Instruction, BlockId, Callee, Function, Program, Terminator};
use unpick_model::{Schedule, Segment, ThreadId};

/// A condition of a thread's path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Turn {
    pub thread: usize,
    /// By its number among the path's conditions.
    pub condition: usize,
    /// The thread's steps before it.
    pub steps: usize,
    /// All threads' operations before it.
    pub done: usize,
    /// The thread's blocks before it, if it is at a branch.
    pub blocks: Option<u32>,
    pub place: Place,
    /// Behind the other way something fails.
    pub fails: bool,
}

/// A question to the solver: the run up to a turn, which must go the other way.
pub struct Aim {
    /// Its assertion is that the thread turns; so the run that is known fails it.
    pub execution: Execution,
    counts: Vec<Counts>,
    turns: Vec<Turn>,
}

impl Walked {
    /// Those behind which something fails come first, then those nearest to them.
    pub fn turns_in_order(&self) -> Vec<&Turn> {
        let failing: Vec<usize> = self.turns.iter().filter(|t| t.fails).map(|t| t.done).collect();
        let end = self.execution.failing.len();
        let distance = |turn: &&Turn| {
            let far = |at: &usize| at.abs_diff(turn.done);
            (!turn.fails, failing.iter().map(far).min().unwrap_or(end - turn.done.min(end)))
        };
        let mut turns: Vec<&Turn> = self.turns.iter().collect();
        turns.sort_by_key(distance);
        turns
    }

    /// All of these must go the other way, one of a thread. `strict`: the other threads do all that they did; else they
    /// need not go their ways to the end.
    pub fn aim(&self, turns: &[&Turn], strict: bool) -> Aim {
        let Execution { paths, failing, .. } = &self.execution;
        let turn_of = |thread: usize| turns.iter().find(|turn| turn.thread == thread).copied();
        let first = turns.iter().map(|turn| turn.done).min().unwrap_or(0).min(failing.len());
        let cut: Vec<usize> = (0..paths.len())
            .map(|thread| match turn_of(thread) {
                Some(turn) => turn.steps,
                None if strict => paths[thread].steps.len(),
                None => first_wait(failing, thread, &paths[thread], first),
            })
            .collect();
        let others = vec![Vec::new(); paths.len()];
        let mut execution = Execution { others, ..self.execution.clone() };
        let mut counts = self.counts.clone();
        let mut released = vec![0; paths.len()];
        for thread in 0..paths.len() {
            let (path, known) = (&paths[thread], &self.counts[thread]);
            let mut now = (path.clone(), known.clone());
            if cut[thread] < path.steps.len() {
                now = shortened(path, known, cut[thread]);
                released[thread] = now.0.steps.len() - cut[thread];
            }
            match turn_of(thread) {
                Some(turn) => {
                    let condition = &path.conditions[turn.condition];
                    let earlier = &path.conditions[..turn.condition];
                    now.0.conditions.retain(|other| earlier.contains(other));
                    now.0.assertion = Some(!condition.clone());
                    if let Some(last) = known.begins.get(turn.steps.saturating_sub(1)) {
                        now.1.end = last + 1;
                    }
                }
                None if !strict => {
                    let mine = |at: &&At| at.thread == thread;
                    let done = failing[..first].iter().filter(mine).count();
                    now.0.conditions = shortened(path, known, done).0.conditions;
                }
                None => {}
            }
            (execution.paths[thread], counts[thread]) = now;
        }
        execution.failing = shortened_order(failing, &cut, &released);
        Aim { execution, counts, turns: turns.iter().map(|turn| (*turn).clone()).collect() }
    }
}

/// Where a thread begins to wait for somebody, once the turn was taken: nobody may come any more.
fn first_wait(order: &[At], thread: usize, path: &Path, done: usize) -> usize {
    let waits = |at: &&At| {
        at.thread == thread
            && matches!(
                path.steps[at.step].action,
                Action::Woken { .. } | Action::Take(_) | Action::Leave(_) | Action::Join(_)
            )
    };
    order.iter().skip(done).find(waits).map_or(path.steps.len(), |at| at.step)
}

/// The order without what was cut off; who was cut off inside of a section leaves it at once.
fn shortened_order(order: &[At], cut: &[usize], released: &[usize]) -> Vec<At> {
    let mut short = Vec::new();
    let release = |short: &mut Vec<At>, thread: usize| {
        let steps = cut[thread]..cut[thread] + released[thread];
        short.extend(steps.map(|step| At { thread, step }));
    };
    for thread in (0..cut.len()).filter(|thread| cut[*thread] == 0) {
        release(&mut short, thread);
    }
    for at in order.iter().filter(|at| at.step < cut[at.thread]) {
        short.push(*at);
        if at.step + 1 == cut[at.thread] {
            release(&mut short, at.thread);
        }
    }
    short
}

impl Aim {
    /// The found order as a schedule, up to where the last thread turns off: that one goes on.
    pub fn schedule(&self, found: &Explanation) -> Schedule {
        let picks = self.counts.iter().flat_map(|counts| counts.picks.iter().copied()).collect();
        let mut schedule = Schedule { picks, ..Schedule::default() };
        let mut seen = vec![0; self.counts.len()];
        let mut missing = self.turns.len();
        for (thread, _) in &found.alternate {
            let (step, counts) = (seen[*thread], &self.counts[*thread]);
            seen[*thread] += 1;
            let next = |at: usize| counts.begins.get(at).copied().filter(|begin| *begin != LATER);
            // Who was cut short leaves its sections some time; the program says when.
            if next(step).is_none() {
                continue;
            }
            let turn = self.turns.iter().find(|turn| turn.thread == *thread);
            let turns = turn.is_some_and(|turn| step + 1 >= turn.steps);
            let until = if turns { counts.end } else { next(step + 1).unwrap_or(counts.end) };
            run(&mut schedule, *thread, until);
            missing -= usize::from(turns);
            if missing == 0 {
                break;
            }
        }
        schedule
    }
}

fn run(schedule: &mut Schedule, thread: usize, until: u64) {
    let thread = ThreadId(thread as u16);
    let done = schedule.segments.iter().rev().find(|segment| segment.thread == thread);
    if done.is_some_and(|segment| until <= segment.until) || until == 0 {
        return;
    }
    match schedule.segments.last_mut() {
        Some(segment) if segment.thread == thread => segment.until = until,
        _ => schedule.segments.push(Segment { thread, until }),
    }
}

/// Does the side of a branch that was not taken lead straight to the end of the process?
pub fn leads_to_failure(program: &Program, site: (u32, u32, u32), taken: bool) -> bool {
    let Some(function) = program.functions.get(site.0 as usize) else { return false };
    let Some(block) = function.blocks.get(site.1 as usize) else { return false };
    match &block.terminator {
        Terminator::Branch { then, otherwise, .. }
            if site.2 as usize >= block.instructions.len() =>
        {
            ends_badly(program, function, if taken { *otherwise } else { *then })
        }
        _ => false,
    }
}

fn ends_badly(program: &Program, function: &Function, mut block: BlockId) -> bool {
    const HOPS: usize = 8;
    for _ in 0..HOPS {
        let Some(here) = function.blocks.get(block.0 as usize) else { return false };
        let fails = here.instructions.iter().any(|instruction| match &instruction.action {
            Instruction::Call { callee: Callee::Function(called), .. } => {
                is_failure(&program.function(*called).name)
            }
            _ => false,
        });
        match &here.terminator {
            _ if fails => return true,
            Terminator::Unreachable => return true,
            Terminator::Jump(next) => block = *next,
            _ => return false,
        }
    }
    false
}

fn is_failure(name: &str) -> bool {
    matches!(
        name,
        "__assert_fail" | "abort" | "reach_error" | "__VERIFIER_error" | "exit" | "_exit"
    )
}
