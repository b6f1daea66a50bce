//! `auto`: several strategies take turns.
//!
//! First, for a while, the search that is guided by what it has seen, which needs few schedules. Then, in turn
//! with it: preemption bounding, which misses nothing that few switches bring about; plain DFS, which settles
//! small programs completely; and PCT, whose chances do not depend on what was seen. The first member that
//! claims completeness ends the search.

use crate::{Feedback, Frontier, Options, Sampling};
use unpick_engine::{Coverage, Next, Strategy, Ticket};
use unpick_model::Run;

struct Member {
    strategy: Box<dyn Strategy>,
    /// Runs in a row when it is its turn; the first time, so many more.
    share: u32,
    head_start: u32,
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
/// Runs before anybody else than the guided search gets a turn.
const HEAD_START: u32 = 48;

impl Portfolio {
    pub fn auto(options: Options) -> Portfolio {
        let member = |strategy: Box<dyn Strategy>, share| Member {
            strategy,
            share,
            head_start: 0,
            done: false,
        };
        let guided = member(Box::new(Feedback::new(options.seed)), 12);
        Portfolio {
            members: vec![
                Member { head_start: HEAD_START, ..guided },
                member(Box::new(Frontier::preemption_bounded(options.bound)), 4),
                member(Box::new(Frontier::dfs()), 4),
                member(Box::new(Sampling::pct(options.seed, options.depth)), 1),
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
            if member.done || self.used >= member.share + member.head_start {
                member.head_start = 0;
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

    fn outgrown(&mut self, ticket: Ticket, run: &Run) {
        let learns = (ticket & ((1 << MEMBER_BITS) - 1)) as usize;
        self.covered = None;
        for (index, member) in self.members.iter_mut().enumerate() {
            member.done = false;
            if index == learns {
                member.strategy.outgrown(ticket >> MEMBER_BITS, run);
            } else {
                member.strategy.restart();
            }
        }
    }

    fn restart(&mut self) {
        self.covered = None;
        for member in &mut self.members {
            member.strategy.restart();
            member.done = false;
        }
    }

    fn interleavings(&self) -> Option<u64> {
        self.interleavings
    }
}
