//! How it fails, in one sentence: who writes what in between, or who comes too early.
//!
//! Of the reads that see another write in the run that passes, one is told. Best are those where another thread's write comes
//! between two accesses of a thread that belong together (an atomicity violation); then reads that are too early or too late.
//! Where branches went the other way, reads of that thread come first: they decided it.

use crate::execution::{Action, Execution, Step};
use crate::explain::Explanation;
use crate::projection::{Difference, Kind};
use crate::sentence::{Cause, Told, cause};
use crate::words::called;

/// An access of the failing run.
#[derive(Clone, Copy)]
struct Access<'a> {
    at: usize,
    thread: usize,
    step: &'a Step,
}

/// What goes wrong with a read, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Shape {
    /// Another thread's write lies between two accesses of one thread.
    Between,
    /// The read comes before the write that it should see, or after one that it should not.
    Order,
}

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
    let mut best: Option<((Shape, bool, std::cmp::Reverse<usize>), Told)> = None;
    for new in flows(&explanation.projection.alternate) {
        let Some(reader) = run.named(&new.to) else { continue };
        let same = |old: &&Difference| old.to == new.to && old.location == new.location;
        let overwritten = old.iter().find(same).and_then(|old| run.named(&old.from));
        let location = new.location.as_deref().unwrap_or_default();
        let Some((shape, told)) = run.told(location, reader, run.named(&new.from), overwritten)
        else {
            continue;
        };
        let decides = turned.contains(&execution.threads[reader.thread].as_str());
        let rank = (shape, !decides, std::cmp::Reverse(reader.at));
        if best.as_ref().is_none_or(|(known, _)| rank < *known) {
            best = Some((rank, told));
        }
    }
    best.map(|(_, told)| told)
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
        let later = self.failing[behind + 1..].iter();
        later.filter(|access| access.thread == of.thread && touches(access.step)).copied().next()
    }

    /// `meant`: the write that the read sees where it passes; `None`: what was there before. `seen`: what it sees here.
    fn told(
        &self,
        location: &str,
        reader: Access,
        meant: Option<Access>,
        seen: Option<Access>,
    ) -> Option<(Shape, Told)> {
        let (read, write) = ("read", "write");
        let by = |access: Access| format!("T{}", self.thread(access));
        let at = |access: Access| access.step.place.to_string();
        let causes = |all: &[(Access, &'static str)]| -> Vec<Cause> {
            let one = |(access, operation): &(Access, &'static str)| {
                cause(&access.step.place, self.thread(*access), operation, Some(&location.into()))
            };
            all.iter().flat_map(one).collect()
        };
        match (meant, seen) {
            // It reads too early.
            (Some(meant), _) if meant.at > reader.at => {
                if let Some(next) = self.next_access(reader, location, meant.at) {
                    let again = if is_read(next.step) { read } else { write };
                    let text = format!(
                        "It fails when {} writes {location} at {} between {}'s read at {} and its {again} at {}.",
                        by(meant),
                        at(meant),
                        by(reader),
                        at(reader),
                        at(next)
                    );
                    let causes = causes(&[(reader, read), (meant, write), (next, again)]);
                    return Some((Shape::Between, Told { text, causes }));
                }
                let text = format!(
                    "It fails when {} reads {location} at {} before {} writes it at {}.",
                    by(reader),
                    at(reader),
                    by(meant),
                    at(meant)
                );
                let causes = causes(&[(reader, read), (meant, write)]);
                Some((Shape::Order, Told { text, causes }))
            }
            // What it should see is overwritten before.
            (Some(meant), Some(seen))
                if meant.thread == reader.thread && seen.thread != reader.thread =>
            {
                let text = format!(
                    "It fails when {} writes {location} at {} between {}'s write at {} and its read at {}.",
                    by(seen),
                    at(seen),
                    by(reader),
                    at(meant),
                    at(reader)
                );
                let causes = causes(&[(meant, write), (seen, write), (reader, read)]);
                Some((Shape::Between, Told { text, causes }))
            }
            (_, Some(seen)) if seen.thread != reader.thread => {
                let text = format!(
                    "It fails when {} writes {location} at {} before {} reads it at {}.",
                    by(seen),
                    at(seen),
                    by(reader),
                    at(reader)
                );
                let causes = causes(&[(seen, write), (reader, read)]);
                Some((Shape::Order, Told { text, causes }))
            }
            _ => None,
        }
    }
}

fn is_read(step: &Step) -> bool {
    matches!(&step.action, Action::Access { reads, .. } if !reads.is_empty())
}
