//! Which steps of different threads are dependent: what each step touches, and how.
//!
//! Read off the states before and after a step; the tool's own relation is not looked at.
//! [`Model::check_independence`] makes sure of it in all states that a program can reach.

use super::Result;
use super::language::{Instr, Model};
use super::state::*;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Thing {
    /// A variable, a lock, a condition, …
    Object(usize),
    /// Those who sleep on the futex of a variable.
    Queue(usize),
    /// Whether a thread was woken.
    Sleep(usize),
    /// Whether a thread was created and has ended.
    Life(usize),
    /// Threads are numbered in the order of their creation.
    Numbers,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum How {
    Read,
    Write,
    /// A change that commutes with others of its kind: a post, a reader's lock, an arrival.
    Together,
}

impl How {
    pub(super) const ALL: [How; 3] = [How::Read, How::Write, How::Together];

    pub(super) fn dependent(self, other: How) -> bool {
        self != other || self == How::Write
    }
}

/// What one step did.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Effect {
    pub(super) thread: usize,
    /// Whom a signal woke is in here, too.
    pub(super) touches: Vec<(Thing, How)>,
    /// The value of a choice.
    pub(super) chosen: Option<i64>,
    /// The program ended with it; so nothing commutes with it.
    pub(super) ends: bool,
}

impl Effect {
    pub(super) fn dependent(&self, other: &Effect) -> bool {
        let clash = |(thing, how): &(Thing, How)| {
            other.touches.iter().any(|(same, otherwise)| same == thing && how.dependent(*otherwise))
        };
        self.thread == other.thread || self.ends || other.ends || self.touches.iter().any(clash)
    }
}

impl Model {
    /// All that `t` can do next, with the states behind it.
    pub(super) fn effects(&self, before: &State, t: usize) -> Result<Vec<(Effect, State)>> {
        let with_effect =
            |after: State| -> Result<_> { Ok((self.effect(before, &after, t)?, after)) };
        self.step(before, t)?.into_iter().map(with_effect).collect()
    }

    fn effect(&self, before: &State, after: &State, t: usize) -> Result<Effect> {
        let mut chosen = None;
        let mut touches = match (before.threads[t].life, self.instr_of(before, t)) {
            (Life::Ready, _) => vec![(Thing::Life(t), How::Read)],
            (_, None | Some(Instr::Exit)) => Self::of_an_exit(before, t),
            (_, Some(Instr::Choose { register, .. })) => {
                chosen = Some(after.threads[t].registers[*register]);
                Vec::new()
            }
            (_, Some(instr)) => Self::of_an_instr(instr, before, after, t)?,
        };
        let sleeps = |state: &State, u: usize| state.threads[u].phase == Phase::Asleep;
        let woken = (0..before.threads.len())
            .filter(|&u| u != t && sleeps(before, u) && !sleeps(after, u))
            .map(|u| (Thing::Sleep(u), How::Write));
        touches.extend(woken);
        Ok(Effect { thread: t, touches, chosen, ends: after.ended.is_some() })
    }

    fn instr_of(&self, state: &State, t: usize) -> Option<&Instr> {
        self.programs[t].code.get(state.threads[t].pc)
    }

    /// Whoever ends with a robust mutex in its hands changes that, too.
    fn of_an_exit(before: &State, t: usize) -> Vec<(Thing, How)> {
        let held = before.objects.iter().enumerate().filter(|(_, object)| {
            matches!(object, Object::Mutex { owner, robust, .. }
                if *owner == t + 1 && *robust != Robust::No)
        });
        let held = held.map(|(index, _)| (Thing::Object(index), How::Write));
        held.chain([(Thing::Life(t), How::Write)]).collect()
    }

    fn of_an_instr(
        instr: &Instr,
        before: &State,
        after: &State,
        t: usize,
    ) -> Result<Vec<(Thing, How)>> {
        let phase = before.threads[t].phase;
        let changed = |object: usize| before.objects[object] != after.objects[object];
        let woken = |u: usize| {
            before.threads[u].phase == Phase::Asleep && after.threads[u].phase != Phase::Asleep
        };
        let wakes = (0..before.threads.len()).any(|u| u != t && woken(u));
        let read_or_write = |writes: bool| if writes { How::Write } else { How::Read };
        let on = |object: usize, how: How| vec![(Thing::Object(object), how)];
        // The owner of a recursive mutex has it for itself.
        let mine = |object: usize| {
            matches!(before.objects[object], Object::Mutex { owner, recursive: true, depth, .. }
                if owner == t + 1 && depth > 0)
        };
        Ok(match *instr {
            Instr::Nop | Instr::Sleep | Instr::End => Vec::new(),
            Instr::Create(child) => {
                vec![(Thing::Life(child), How::Write), (Thing::Numbers, How::Write)]
            }
            Instr::Join(child) | Instr::TryJoin(child, _) => {
                vec![(Thing::Life(child), How::Read)]
            }
            Instr::Read(x, _) => on(x, How::Read),
            Instr::Write(x, _) | Instr::Rmw { var: x, .. } => on(x, How::Write),
            Instr::Cas { var, ref expected, .. } => {
                let expected = Object::Variable(expected.value(&before.threads[t].registers));
                on(var, read_or_write(before.objects[var] == expected))
            }
            Instr::Lock(m, _) | Instr::TryLock(m, _) if mine(m) => Vec::new(),
            Instr::Lock(m, _) => on(m, How::Write),
            Instr::TryLock(m, _) => on(m, read_or_write(changed(m))),
            Instr::Unlock(m) => {
                let inner = matches!(before.objects[m], Object::Mutex { depth, .. } if depth > 1);
                if inner { Vec::new() } else { on(m, How::Write) }
            }
            Instr::Wait { cond, mutex, .. } => match phase {
                Phase::Before => {
                    vec![(Thing::Object(mutex), How::Write), (Thing::Object(cond), How::Write)]
                }
                Phase::Asleep => on(cond, How::Write), // its time is over
                _ => vec![(Thing::Object(mutex), How::Write), (Thing::Sleep(t), How::Read)],
            },
            Instr::Signal(cond) | Instr::Broadcast(cond) => on(cond, read_or_write(wakes)),
            Instr::ReadLock(l) => on(l, How::Together),
            Instr::WriteLock(l) => on(l, How::Write),
            Instr::TryReadLock(l, _) => on(l, if changed(l) { How::Together } else { How::Read }),
            Instr::TryWriteLock(l, _) => on(l, read_or_write(changed(l))),
            Instr::RwUnlock(l) => {
                let reader = matches!(before.objects[l], Object::Rw { writer: 0, .. });
                on(l, if reader { How::Together } else { How::Write })
            }
            Instr::Barrier(b, _) if phase == Phase::Before => {
                let last = after.threads[t].phase == Phase::Woken;
                on(b, if last { How::Write } else { How::Together })
            }
            Instr::Barrier(..) => vec![(Thing::Sleep(t), How::Read)],
            Instr::SemPost(s) => on(s, How::Together),
            Instr::SemWait(s) => on(s, How::Write),
            Instr::SemValue(s, _) => on(s, How::Read),
            Instr::SemTryWait(s, _) => on(s, read_or_write(changed(s))),
            Instr::Once { once, .. } => on(once, read_or_write(changed(once))),
            Instr::OnceDone(once) => on(once, How::Write),
            Instr::FutexWait { .. } if phase != Phase::Before => {
                vec![(Thing::Sleep(t), How::Read)]
            }
            Instr::FutexWait { var, .. } => {
                let mut touches = on(var, How::Read);
                if after.threads[t].phase == Phase::Asleep {
                    touches.push((Thing::Queue(var), How::Write));
                }
                touches
            }
            Instr::FutexWake { var, .. } => vec![(Thing::Queue(var), read_or_write(wakes))],
            _ => return Err(format!("{instr:?}: what is independent of it is not said")),
        })
    }

    /// May steps that are called independent really change places? In every state that can be reached: two
    /// threads that can both go on neither stop nor change each other, and a step that follows another
    /// one could also have come before it.
    pub fn check_independence(&self) -> Result<()> {
        let mut known = HashSet::new();
        let mut stack = vec![self.start()?];
        while let Some(state) = stack.pop() {
            if state.ended.is_some() || !known.insert(state.clone()) {
                continue;
            }
            for t in self.all_enabled(&state) {
                for (first, middle) in self.effects(&state, t)? {
                    self.check_pairs(&state, &first, &middle)?;
                    stack.push(middle);
                }
            }
        }
        Ok(())
    }

    fn check_pairs(&self, state: &State, first: &Effect, middle: &State) -> Result<()> {
        let others = |state: &State| -> Result<Vec<(Effect, State)>> {
            let mut found = Vec::new();
            for u in self.all_enabled(state) {
                if u != first.thread && state.ended.is_none() {
                    found.extend(self.effects(state, u)?);
                }
            }
            Ok(found)
        };
        let (now, then) = (others(state)?, others(middle)?);
        let wrong = |second: &Effect, what: &str| {
            format!("{first:?} and {second:?} are called independent, but {what}, in {state:?}")
        };
        for (second, other_middle) in now.iter().filter(|(second, _)| !first.dependent(second)) {
            let Some((_, end)) = then.iter().find(|(same, _)| same == second) else {
                if then.iter().any(|(changed, _)| completes(first, second, changed)) {
                    continue;
                }
                return Err(wrong(second, "the second is not possible after the first"));
            };
            if other_middle.ended.is_some() {
                continue;
            }
            let back = if self.enabled(other_middle, first.thread) {
                self.effects(other_middle, first.thread)?
            } else {
                Vec::new()
            };
            match back.iter().find(|(same, _)| same == first) {
                None => return Err(wrong(second, "the first is not possible after the second")),
                Some((_, other_end)) if other_end != end => {
                    return Err(wrong(second, "they end elsewhere in the other order"));
                }
                Some(_) => {}
            }
        }
        for (second, _) in then.iter().filter(|(second, _)| !first.dependent(second)) {
            if !now.iter().any(|(same, _)| same == second) {
                return Err(wrong(second, "the second is not possible before the first"));
            }
        }
        Ok(())
    }
}

/// Each of the last two arrivals at a barrier is not the last one if it comes first; behind the other it is
/// another step, and dependent on it.
fn completes(first: &Effect, second: &Effect, changed: &Effect) -> bool {
    let arrivals = |effect: &Effect| -> Vec<Thing> {
        let together = |(thing, how): &(Thing, How)| (*how == How::Together).then_some(*thing);
        effect.touches.iter().filter_map(together).collect()
    };
    let writes = |thing: &Thing| changed.touches.contains(&(*thing, How::Write));
    changed.thread == second.thread
        && changed.dependent(first)
        && arrivals(second).iter().any(|thing| arrivals(first).contains(thing) && writes(thing))
}
