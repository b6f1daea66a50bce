//! How it fails, in one sentence: who writes what in between, or who comes too early.
//!
//! Of the reads that see another write in the run that passes, one is told. Best are those where another thread's write comes
//! between two accesses of a thread that belong together (an atomicity violation); then reads that are too early or too late.
//! Where branches went the other way, reads of that thread come first: they decided it. Where much is different, all that
//! says little, and the read nearest to the failure is told. What the locks have to do with it is added: one that is given
//! back in between, or two different ones.

use crate::execution::{Action, Execution, Step};
use crate::explain::Explanation;
use crate::projection::{Difference, Kind};
use crate::sentence::{Told, cause};
use crate::words::called;
use std::cmp::Reverse;

/// Data flows that differ, at most, for their shapes to mean something.
const FEW: usize = 6;

/// An access of the failing run.
#[derive(Clone, Copy)]
struct Access<'a> {
    at: usize,
    thread: usize,
    step: &'a Step,
}

/// The first of two writes that belong together, and where its lock is given back before the second.
struct HalfDone<'a> {
    written: Access<'a>,
    location: &'a String,
    given_back: Access<'a>,
    object: usize,
}

/// What goes wrong with a read, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// Another thread's write lies between two accesses of one thread.
    Between,
    /// The read comes before the write that it should see, or after one that it should not.
    Order,
}

/// The shape and whether it decides a branch, where that means something; then the nearest to the failure.
type Rank = (Option<(Shape, bool)>, Reverse<usize>);

/// `None`: no read of the failing run sees another write where it passes.
pub fn interference(execution: &Execution, explanation: &Explanation) -> Option<Told> {
    let failing: Vec<Access> = (execution.failing.iter().enumerate())
        .map(|(at, step)| Access {
            at,
            thread: step.thread,
            step: &execution.paths[step.thread].steps[step.step],
        })
        .collect();
    let run = Run { execution, failing };
    let flows = |edges: &'_ [Difference]| -> Vec<Difference> {
        edges.iter().filter(|edge| edge.kind == Kind::DataFlow).cloned().collect()
    };
    let old = flows(&explanation.projection.failing);
    let turned: Vec<&str> = explanation.flips.iter().map(|flip| flip.thread.as_str()).collect();
    let few = explanation.cost.df <= FEW;
    let mut best: Option<(Rank, Told)> = None;
    for new in flows(&explanation.projection.alternate) {
        let Some(reader) = run.named(&new.to) else { continue };
        let same = |old: &&Difference| old.to == new.to && old.location == new.location;
        let overwritten = old.iter().find(same).and_then(|old| run.named(&old.from));
        let location = new.location.as_deref().unwrap_or_default();
        let meant = run.named(&new.from).or_else(|| later(explanation, &new.from));
        let Some((shape, told)) = run.told(location, reader, meant, overwritten) else {
            continue;
        };
        let decides = turned.contains(&execution.threads[reader.thread].as_str());
        let rank = (few.then_some((shape, !decides)), Reverse(reader.at));
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, told));
        }
    }
    best.map(|(_, told)| told)
}

/// A step that the failing run did not come to any more.
fn later<'a>(explanation: &Explanation<'a>, name: &str) -> Option<Access<'a>> {
    let (thread, step) = explanation.alternate.iter().find(|(_, step)| called(step, name))?;
    Some(Access { at: usize::MAX, thread: *thread, step })
}

struct Run<'a> {
    execution: &'a Execution,
    failing: Vec<Access<'a>>,
}

impl<'a> Run<'a> {
    fn named(&self, name: &str) -> Option<Access<'a>> {
        self.failing.iter().find(|access| called(access.step, name)).copied()
    }

    fn thread(&self, access: Access) -> &'a str {
        &self.execution.threads[access.thread]
    }

    /// The first access to a location by the thread of `of` behind a point of the run.
    fn next_access(&self, of: Access, location: &str, behind: usize) -> Option<Access<'a>> {
        let touches = |step: &Step| match &step.action {
            Action::Access { reads, writes } => (reads.iter())
                .chain(writes.iter().map(|(written, _)| written))
                .any(|touched| self.execution.locations[*touched] == location),
            _ => false,
        };
        let mut later = self.failing.iter().filter(|access| access.at > behind);
        later.find(|access| access.thread == of.thread && touches(access.step)).copied()
    }

    /// `meant`: the write that the read sees where it passes; `None`: what was there before. `seen`: what it sees here.
    fn told(
        &self,
        location: &str,
        reader: Access<'a>,
        meant: Option<Access<'a>>,
        seen: Option<Access<'a>>,
    ) -> Option<(Shape, Told)> {
        let other = |access: &Access| access.thread != reader.thread;
        let early = meant.filter(|meant| meant.at > reader.at);
        let overwriting = seen.filter(other);
        let (first, second, last) = match (early, overwriting) {
            (Some(meant), _) => (reader, meant, self.next_access(reader, location, meant.at)),
            (None, Some(seen)) => match meant.filter(|meant| !other(meant)) {
                Some(own) => (own, seen, Some(reader)),
                None => (seen, reader, None),
            },
            _ => return None,
        };
        let by = |access: Access| format!("T{}", self.thread(access));
        let does = |access: Access<'a>| if is_write(access.step) { "write" } else { "read" };
        let at = |access: Access<'a>| &access.step.place;
        let variable = location.to_string();
        let mut all = vec![(first, does(first), &variable), (second, does(second), &variable)];
        let mut text = match last {
            Some(last) => format!(
                "It fails when {} {}s {location} at {} between {}'s {} at {} and its {} at {}",
                by(second),
                does(second),
                at(second),
                by(first),
                does(first),
                at(first),
                does(last),
                at(last)
            ),
            None => format!(
                "It fails when {} {}s {location} at {} before {} {}s it at {}",
                by(first),
                does(first),
                at(first),
                by(second),
                does(second),
                at(second)
            ),
        };
        let half = early.filter(|_| last.is_none()).and_then(|meant| self.half_done(reader, meant));
        if let Some(HalfDone { written, location, given_back, object }) = half {
            let (thread, object) = (by(written), &self.execution.objects[object]);
            text += &format!(
                "; {thread} has written {location} at {} by then, and given {object} back at {}",
                at(written),
                at(given_back)
            );
            all.push((given_back, "unlock", object));
            all.push((written, "write", location));
        } else if let Some((step, object, operation)) = self.lock(first, second) {
            let (thread, object) = (by(step), &self.execution.objects[object]);
            text += &match operation {
                "unlock" => format!("; {thread} gives {object} back at {} in between", at(step)),
                _ => format!(
                    "; {thread} holds {object}, taken at {}, which is another lock",
                    at(step)
                ),
            };
            all.push((step, operation, object));
        }
        all.extend(last.map(|last| (last, does(last), &variable)));
        text.push('.');
        let causes = all.iter().flat_map(|(access, operation, object)| {
            cause(at(*access), self.thread(*access), operation, Some(object))
        });
        let shape = if last.is_some() { Shape::Between } else { Shape::Order };
        let causes = causes.collect();
        Some((shape, Told { text, causes }))
    }

    /// Who writes too late has written something before that the reader has seen, and has given back the lock under which it
    /// did: two writes that belong together.
    fn half_done(&self, reader: Access, meant: Access) -> Option<HalfDone<'a>> {
        let before = || self.failing.iter().filter(|one| one.at < reader.at);
        let seen = before().filter(|one| one.thread == reader.thread);
        let seen: Vec<usize> = seen
            .flat_map(|one| match &one.step.action {
                Action::Access { reads, .. } => &reads[..],
                _ => &[],
            })
            .copied()
            .collect();
        for one in before().filter(|one| one.thread == meant.thread) {
            let Action::Access { writes, .. } = &one.step.action else { continue };
            let Some((location, _)) = writes.iter().find(|(place, _)| seen.contains(place)) else {
                continue;
            };
            let held = self.held(*one);
            let given_back = before().find_map(|later| match later.step.action {
                Action::Unlock(object)
                    if later.thread == one.thread
                        && later.at > one.at
                        && held.iter().any(|(_, mine)| *mine == object) =>
                {
                    Some((*later, object))
                }
                _ => None,
            });
            if let Some((later, object)) = given_back {
                let location = &self.execution.locations[*location];
                return Some(HalfDone { written: *one, location, given_back: later, object });
            }
        }
        None
    }

    /// What the locks have to do with it: the first thread gives back what it held before the other comes, or the two hold
    /// different ones.
    fn lock(&self, first: Access, second: Access) -> Option<(Access<'a>, usize, &'static str)> {
        let held = self.held(first);
        let between = self.failing.iter().filter(|one| one.at > first.at && one.at < second.at);
        let mut given_back = between.filter_map(|one| match one.step.action {
            Action::Unlock(object) if one.thread == first.thread => Some((*one, object)),
            _ => None,
        });
        if let Some((step, object)) =
            given_back.find(|(_, object)| held.iter().any(|(_, mine)| mine == object))
        {
            return Some((step, object, "unlock"));
        }
        let theirs = self.held(second);
        let common = theirs.iter().any(|(_, object)| held.iter().any(|(_, mine)| mine == object));
        let (taken, object) = theirs.last().filter(|_| !held.is_empty() && !common)?;
        Some((*taken, *object, "lock"))
    }

    /// The locks that a thread holds at an access, and where it took them.
    fn held(&self, access: Access) -> Vec<(Access<'a>, usize)> {
        let mut held: Vec<(Access, usize)> = Vec::new();
        let before = self.failing.iter().filter(|one| one.at < access.at);
        for one in before.filter(|one| one.thread == access.thread) {
            match one.step.action {
                Action::Lock(object) => held.push((*one, object)),
                Action::Unlock(object) => {
                    if let Some(at) = held.iter().rposition(|(_, other)| *other == object) {
                        held.remove(at);
                    }
                }
                _ => {}
            }
        }
        held
    }
}

fn is_write(step: &Step) -> bool {
    matches!(&step.action, Action::Access { writes, .. } if !writes.is_empty())
}
