//! Circles of locks: each of several threads held one and asked for the next. What no common lock rules out is
//! asked for as a state in which all of them stand before that request.

use crate::candidates::Must;
use crate::links::Links;
use crate::part::Part;
use std::collections::{BTreeMap, HashSet};
use unpick_model::Op;

/// Threads of a circle, at most.
const LONGEST: usize = 6;
/// Requests that are alike (thread, place, locks) are looked at so often.
const ALIKE: usize = 4;
/// Circles of a part, at most.
const CIRCLES: usize = 2000;
/// Of the search for them.
const STEPS: usize = 1_000_000;

/// A thread asks for a lock while it holds another.
#[derive(Clone, Copy, Debug)]
struct Request {
    event: usize,
    /// Whether others could have it at the same time.
    shared: bool,
    holds: usize,
    holds_shared: bool,
    asks: usize,
}

fn blocks(op: Op) -> Option<bool> {
    match op {
        Op::Lock | Op::WriteLock | Op::CondReacquire { .. } => Some(false),
        Op::ReadLock => Some(true),
        _ => None,
    }
}

/// The events of each circle, in the order in which each waits for the next.
pub fn circles(part: &Part, links: &Links, must: &Must) -> Vec<Vec<usize>> {
    let mut requests: BTreeMap<usize, Vec<Request>> = BTreeMap::new();
    let mut alike = BTreeMap::new();
    for (i, event) in part.events.iter().enumerate() {
        let (Some(shared), Some(hold)) = (blocks(event.op), links.begins[i]) else { continue };
        let asks = links.holds[hold as usize].lock;
        for &(holds, holds_shared) in &links.locksets[links.lockset[i] as usize] {
            let times = alike.entry((event.thread, event.pc, holds, asks)).or_insert(0);
            *times += 1;
            if holds != asks && *times <= ALIKE && event.size != 1 {
                let request = Request { event: i, shared, holds, holds_shared, asks };
                requests.entry(holds).or_default().push(request);
            }
        }
    }
    within_circles(&mut requests, links.locks.len());
    let mut search = Search {
        part,
        links,
        must,
        requests: &requests,
        found: Vec::new(),
        seen: HashSet::new(),
        steps: 0,
    };
    for request in requests.values().flatten() {
        search.extend(&mut vec![*request]);
    }
    search.found
}

/// Leaves out what leads to no lock that leads back: locks of which nobody who holds one asks for another that is
/// left, and likewise the other way round.
fn within_circles(requests: &mut BTreeMap<usize, Vec<Request>>, locks: usize) {
    loop {
        let mut asked = vec![false; locks];
        requests.values().flatten().for_each(|request| asked[request.asks] = true);
        let held: HashSet<usize> =
            requests.iter().filter(|(_, list)| !list.is_empty()).map(|(&lock, _)| lock).collect();
        let before: usize = requests.values().map(Vec::len).sum();
        for (lock, list) in requests.iter_mut() {
            list.retain(|request| asked[*lock] && held.contains(&request.asks));
        }
        if requests.values().map(Vec::len).sum::<usize>() == before {
            return;
        }
    }
}

struct Search<'a> {
    part: &'a Part,
    links: &'a Links,
    must: &'a Must,
    requests: &'a BTreeMap<usize, Vec<Request>>,
    found: Vec<Vec<usize>>,
    seen: HashSet<Vec<(u64, usize, usize)>>,
    steps: usize,
}

impl Search<'_> {
    fn extend(&mut self, path: &mut Vec<Request>) {
        let (first, last) = (path[0], path[path.len() - 1]);
        for next in self.requests.get(&last.asks).into_iter().flatten() {
            let waits = !(last.shared && next.holds_shared);
            self.steps += 1;
            if self.found.len() >= CIRCLES || self.steps > STEPS {
                return;
            }
            if !waits || !self.fits(path, next) {
                continue;
            }
            path.push(*next);
            if next.asks == first.holds && !(next.shared && first.holds_shared) {
                self.close(path);
            } else if path.len() < LONGEST {
                self.extend(path);
            }
            path.pop();
        }
    }

    /// Another thread, another lock, and nothing that keeps it apart from the others. A circle is begun with its
    /// smallest lock.
    fn fits(&self, path: &[Request], next: &Request) -> bool {
        next.holds > path[0].holds
            && path.iter().all(|other| {
                let thread = |request: &Request| self.part.events[request.event].thread;
                let (first, second) = (other.event.min(next.event), other.event.max(next.event));
                thread(other) != thread(next)
                    && other.holds != next.holds
                    && !self.must.before(self.part, first, second)
                    && !self
                        .links
                        .excluded(self.links.lockset[other.event], self.links.lockset[next.event])
            })
    }

    fn close(&mut self, path: &[Request]) {
        let place =
            |request: &Request| (self.part.events[request.event].pc, request.holds, request.asks);
        let places: Vec<_> = path.iter().map(place).collect();
        let first_time = self.seen.insert(places);
        // A few of each: one of them may be possible where another is not.
        if first_time || self.found.len() < CIRCLES / 4 {
            self.found.push(path.iter().map(|request| request.event).collect());
        }
    }
}
