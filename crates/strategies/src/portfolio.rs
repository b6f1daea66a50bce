//! `auto`: several strategies take turns.
//!
//! First, for a while, the search that is guided by what it has seen, which needs few schedules. Then, in turn
//! with it: partial order reduction, which settles small programs completely; preemption bounding, which misses
//! nothing that few switches bring about; and PCT, whose chances do not depend on what was seen. The first
//! member that has covered everything ends the search.

use crate::{Bounded, Dpor, Feedback, Options, Sampling};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use unpick_engine::{Coverage, Next, Strategy, Ticket, as_text};
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
    classes: Option<u64>,
}

/// What a member keeps, what is left of its head start, and whether it is done.
#[derive(Serialize, Deserialize)]
struct Kept(Box<RawValue>, u32, bool);

/// Whose turn it is, how much of it is used, and everybody.
#[derive(Serialize, Deserialize)]
struct Saved(usize, u32, Vec<Kept>);

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
                member(Box::new(Dpor::optimal()), 8),
                member(Box::new(Bounded::new(options.bound)), 4),
                member(Box::new(Sampling::pct(options.seed, options.depth)), 1),
            ],
            turn: 0,
            used: 0,
            covered: None,
            classes: None,
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
                    if coverage.complete && !coverage.bounded {
                        self.classes = member.strategy.classes();
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

    fn classes(&self) -> Option<u64> {
        self.classes
    }

    fn in_vain(&self) -> u64 {
        self.members.iter().map(|member| member.strategy.in_vain()).sum()
    }

    fn save(&self) -> Option<Box<RawValue>> {
        let each =
            |member: &Member| Some(Kept(member.strategy.save()?, member.head_start, member.done));
        let members: Option<Vec<Kept>> = self.members.iter().map(each).collect();
        as_text(&Saved(self.turn, self.used, members?))
    }

    fn restore(&mut self, saved: &RawValue) -> bool {
        let Ok(Saved(turn, used, members)) = serde_json::from_str(saved.get()) else {
            return false;
        };
        if turn >= self.members.len() || members.len() != self.members.len() {
            return false;
        }
        (self.turn, self.used) = (turn, used);
        self.members.iter_mut().zip(members).all(|(member, Kept(strategy, head_start, done))| {
            (member.head_start, member.done) = (head_start, done);
            member.strategy.restore(&strategy)
        })
    }
}
