//! `auto`: several strategies take turns.
//!
//! First the plain schedule without preemptions, then in turn: preemption bounding, which finds most bugs
//! with few switches, so that what it finds is easy to read; once, the fixed schedules, which cost nothing;
//! PCT, POS and a random walk for what lies deeper; and plain DFS, which settles small programs completely.
//! The first member that claims completeness ends the search.

use crate::{Fixed, Frontier, Options, Sampling};
use unpick_engine::{Coverage, Next, Strategy, Ticket};
use unpick_model::{Policy, Run};

struct Member {
    strategy: Box<dyn Strategy>,
    /// Runs in a row when it is its turn.
    share: u32,
    done: bool,
}

pub struct Portfolio {
    members: Vec<Member>,
    turn: usize,
    used: u32,
    /// What the most recent complete member covered, e.g. within its bound.
    covered: Option<Coverage>,
    interleavings: Option<u64>,
}

const MEMBER_BITS: u32 = 8;

impl Portfolio {
    pub fn auto(options: Options) -> Portfolio {
        let member = |strategy, share| Member { strategy, share, done: false };
        Portfolio {
            members: vec![
                member(Box::new(Fixed::new("stay", Policy::Stay)) as Box<dyn Strategy>, 1),
                member(Box::new(Frontier::preemption_bounded(options.bound)), 12),
                member(Box::new(Fixed::new("round-robin", Policy::RoundRobin)), 1),
                member(Box::new(Fixed::new("reverse-priority", Policy::ReversePriority)), 1),
                member(Box::new(Sampling::pct(options.seed, options.depth)), 2),
                member(Box::new(Sampling::pos(options.seed)), 2),
                member(Box::new(Sampling::random(options.seed)), 1),
                member(Box::new(Frontier::dfs()), 4),
            ],
            turn: 0,
            used: 0,
            covered: None,
            interleavings: None,
        }
    }

    fn advance(&mut self) {
        self.turn = (self.turn + 1) % self.members.len();
        self.used = 0;
    }
}

impl Strategy for Portfolio {
    fn name(&self) -> String {
        "auto".into()
    }

    fn next(&mut self) -> Next {
        // Said again and again, until nothing is under way any more.
        if let Some(coverage) = &self.covered {
            return Next::Done(coverage.clone());
        }
        for _ in 0..=self.members.len() {
            let turn = self.turn;
            let member = &mut self.members[turn];
            if member.done || self.used >= member.share {
                self.advance();
                continue;
            }
            match member.strategy.next() {
                Next::Plan(ticket, plan) => {
                    self.used += 1;
                    return Next::Plan(ticket << MEMBER_BITS | turn as u64, plan);
                }
                Next::Wait => self.advance(),
                Next::Done(coverage) => {
                    member.done = true;
                    // All interleavings are covered, not only those within a bound.
                    if coverage.complete && coverage.reason == "all interleavings" {
                        self.interleavings = member.strategy.interleavings();
                        self.covered = Some(coverage);
                    }
                    self.advance();
                }
            }
            if let Some(coverage) = &self.covered {
                return Next::Done(coverage.clone());
            }
        }
        Next::Wait
    }

    fn observe(&mut self, ticket: Ticket, run: &Run) {
        let member = (ticket & ((1 << MEMBER_BITS) - 1)) as usize;
        if let Some(member) = self.members.get_mut(member) {
            member.strategy.observe(ticket >> MEMBER_BITS, run);
        }
    }

    fn restart(&mut self) {
        self.covered = None;
        for member in &mut self.members {
            member.strategy.restart();
            member.done = false;
        }
        self.turn = 0;
        self.used = 0;
    }

    fn interleavings(&self) -> Option<u64> {
        self.interleavings
    }
}
