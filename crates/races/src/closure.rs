//! The fast path: the smallest beginnings of the threads after which given events are about to be executed, in the
//! order of the run.
//!
//! In the spirit of Mathur, Pavlogiannis and Viswanathan, "Optimal prediction of synchronization-preserving races":
//! of what the events rest upon nothing is left out, and locks change hands in the order of the run. Each event
//! is looked at once.

use crate::Values;
use crate::links::{Links, Need};
use crate::part::Part;

pub struct Closure<'a> {
    part: &'a Part,
    links: &'a Links,
    /// How many events of each thread are needed, and how many of them have been looked at.
    needed: Vec<usize>,
    seen: Vec<usize>,
    /// A thread whose next event is asked for must not go beyond.
    limit: Vec<usize>,
    open: Vec<usize>,
    /// By lock: the holds that are needed; of exclusive ones the latest is enough.
    holds: Vec<Vec<u32>>,
    touched: Vec<usize>,
}

impl<'a> Closure<'a> {
    pub fn new(part: &'a Part, links: &'a Links) -> Closure<'a> {
        let threads = part.threads.len();
        Closure {
            part,
            links,
            needed: vec![0; threads],
            seen: vec![0; threads],
            limit: vec![usize::MAX; threads],
            open: Vec::new(),
            holds: vec![Vec::new(); links.locks.len()],
            touched: Vec::new(),
        }
    }

    /// The events, in the order of the run, after which each of `goal` is its thread's next one; `None` where there
    /// is no such beginning that keeps the run's order.
    pub fn before(&mut self, goal: &[usize], values: Values) -> Option<Vec<usize>> {
        self.needed.fill(0);
        self.seen.fill(0);
        self.limit.fill(usize::MAX);
        self.open.clear();
        for lock in self.touched.drain(..) {
            self.holds[lock].clear();
        }
        for &event in goal {
            self.limit[self.part.events[event].thread.index()] = self.part.position[event];
        }
        for &event in goal {
            if let Some(previous) = self.part.previous(event) {
                self.need(previous)?;
            }
        }
        while let Some(thread) = self.open.pop() {
            while self.seen[thread] < self.needed[thread] {
                let event = self.part.threads[thread][self.seen[thread]];
                self.seen[thread] += 1;
                self.look_at(event, values)?;
            }
        }
        let taken = |&event: &usize| {
            let thread = self.part.events[event].thread.index();
            self.part.position[event] < self.needed[thread]
        };
        Some((0..self.part.events.len()).filter(taken).collect())
    }

    fn need(&mut self, event: usize) -> Option<()> {
        let thread = self.part.events[event].thread.index();
        let count = self.part.position[event] + 1;
        if count > self.limit[thread] {
            return None;
        }
        if count > self.needed[thread] {
            self.needed[thread] = count;
            self.open.push(thread);
        }
        Some(())
    }

    fn look_at(&mut self, event: usize, values: Values) -> Option<()> {
        let links = self.links;
        for &(on, why) in links.needs(event) {
            let kept = match why {
                Need::Always => true,
                Need::Plain => values == Values::Kept,
                Need::Atomic => values != Values::Free,
            };
            if kept {
                self.need(on as usize)?;
            }
        }
        match links.begins[event] {
            Some(hold) => self.hold(hold),
            None => Some(()),
        }
    }

    /// Of two holds of a lock the earlier one has to end.
    fn hold(&mut self, new: u32) -> Option<()> {
        let links = self.links;
        let hold = &links.holds[new as usize];
        if self.holds[hold.lock].is_empty() {
            self.touched.push(hold.lock);
            self.holds[hold.lock].extend(&links.from_start[hold.lock]);
        }
        let mut over = Vec::new();
        for &other in &self.holds[hold.lock] {
            let its = &links.holds[other as usize];
            if its.shared && hold.shared || other == new {
                continue;
            }
            over.push(if its.taken < hold.taken { other } else { new });
        }
        self.holds[hold.lock].push(new);
        for ended in over {
            self.need(links.holds[ended as usize].given?)?;
            if !links.holds[ended as usize].shared {
                self.forget(ended);
            }
        }
        Some(())
    }

    /// It ends, and a later one is there: whoever comes between them is compared with that one.
    fn forget(&mut self, hold: u32) {
        let lock = self.links.holds[hold as usize].lock;
        let shared = self.holds[lock].iter().any(|&other| self.links.holds[other as usize].shared);
        if !shared {
            self.holds[lock].retain(|&other| other != hold);
        }
    }
}
