//! The best order, with a proof: SAT with lazily told constraints, minimised by cores (OLL).

mod choices;
pub(crate) mod counters;
mod order;
mod serial;
mod totalizer;

use crate::answer::{Answer, Limits};
use crate::run;
use crate::setting::Setting;
use crate::wishes::{Cost, Objective, Wishes};
use choices::Choices;
use std::collections::HashMap;
use totalizer::Totalizer;
use unpick_smt::sat::{Answer as Verdict, Literal, Sat};

/// Conflicts, and tentative orders, that the attempt to leave one wish out of a core may cost.
const PATIENCE: u64 = 200;
const ORDERS: u64 = 4;

pub fn solve(setting: &Setting, wishes: &Wishes, objective: Objective, limits: &Limits) -> Answer {
    let mut sat = Sat::new();
    let Some(choices) = Choices::new(setting, wishes, objective, &mut sat) else {
        return Answer::impossible();
    };
    let lower = Cost { df: wishes.new_flows, bs: 0, ctx: 0 };
    let mut search = Search { sat, choices, limits, objective, lower };
    search.run()
}

struct Search<'a> {
    sat: Sat,
    choices: Choices<'a>,
    limits: &'a Limits,
    objective: Objective,
    lower: Cost,
}

/// A count of broken wishes: how many are known to be broken.
struct Count {
    totalizer: Totalizer,
    at_most: usize,
}

/// The part of a cost that a level counts.
type Part = fn(&mut Cost) -> &mut usize;

enum Level {
    /// No order breaks fewer, and from now on none that breaks more is looked at.
    Done,
    /// There is no order at all.
    Impossible,
    /// There is one, but none that is good enough.
    Beaten,
    Stopped,
}

impl Search<'_> {
    fn run(&mut self) -> Answer {
        let (flows, segments, switches) = self.wishes();
        for &wish in flows.iter().chain(&segments).chain(&switches) {
            self.sat.prefer(wish);
        }
        // Any order that passes is better than none.
        for order in serial::orders(self.choices.setting) {
            if run::passes(self.choices.setting, &order).is_ok() {
                self.choices.keep(order);
            }
        }
        match self.ask(&[]) {
            Verdict::Unsatisfiable(_) => return Answer::impossible(),
            Verdict::Unknown => return self.answer(false),
            Verdict::Satisfiable => {}
        }
        let levels: Vec<(Vec<Literal>, Part)> = match self.objective {
            Objective::Sum => {
                let all = flows.into_iter().chain(segments).chain(switches).collect();
                vec![(all, |cost| &mut cost.df)]
            }
            Objective::Lexicographic => {
                vec![
                    (flows, |cost| &mut cost.df),
                    (segments, |cost| &mut cost.bs),
                    (switches, |cost| &mut cost.ctx),
                ]
            }
        };
        for (wishes, part) in levels {
            match self.minimise(wishes, part) {
                Level::Done => {}
                Level::Impossible => return Answer::impossible(),
                Level::Beaten => return Answer { lower: self.lower, ..Answer::impossible() },
                Level::Stopped => return self.answer(false),
            }
        }
        self.answer(true)
    }

    /// A literal for each wish that an order may break.
    fn wishes(&mut self) -> (Vec<Literal>, Vec<Literal>, Vec<Literal>) {
        let wishes = self.choices.wishes;
        let flows = wishes
            .flows
            .iter()
            .map(|&(read, source)| self.choices.flow(read, source, &mut self.sat))
            .collect();
        for clause in std::mem::take(&mut self.choices.pending) {
            self.sat.clause(&clause);
        }
        let mut segments = Vec::new();
        for &(first, last) in wishes.segments.iter().filter(|(first, last)| first != last) {
            let literal = self.sat.literal(true);
            self.choices.order.demand(literal, last, first, 0);
            segments.push(literal);
        }
        for &(first, last) in &wishes.mixed {
            let literal = self.sat.literal(true);
            self.choices.mixed.push((first, last, literal));
            segments.push(literal);
        }
        let mut switches = Vec::new();
        for &(first, second) in &wishes.switches {
            let literal = self.sat.literal(true);
            self.choices.order.demand(literal, second, first, 0);
            self.choices.order.demand(literal, first, second, 0);
            switches.push(literal);
        }
        (flows, segments, switches)
    }

    fn ask(&mut self, assumptions: &[Literal]) -> Verdict {
        let limits = self.limits;
        self.choices.order.relax();
        self.sat.solve(assumptions, &mut self.choices, &|_| limits.spent())
    }

    /// Breaks as few of the wishes as possible, and raises the bound `part` with each that must be.
    fn minimise(&mut self, wishes: Vec<Literal>, part: Part) -> Level {
        let mut assumptions = wishes;
        let mut counts: Vec<Count> = Vec::new();
        // A bound on a count, as an assumption: which one.
        let mut owner: HashMap<Literal, usize> = HashMap::new();
        loop {
            // Cores without common wishes first: they are small, and what is found on the way is an upper bound.
            let mut pending = Vec::new();
            loop {
                match self.ask(&assumptions) {
                    Verdict::Unknown => return Level::Stopped,
                    Verdict::Satisfiable => break,
                    Verdict::Unsatisfiable(core) if core.is_empty() => return Level::Impossible,
                    Verdict::Unsatisfiable(core) => {
                        let core = self.smaller(core);
                        *part(&mut self.lower) += 1;
                        if self.is_beaten() {
                            return Level::Beaten;
                        }
                        assumptions.retain(|assumption| !core.contains(assumption));
                        pending.push(core);
                    }
                }
            }
            if pending.is_empty() {
                break;
            }
            for core in pending {
                self.relax(core, &mut counts, &mut owner, &mut assumptions);
            }
        }
        for assumption in assumptions {
            self.sat.clause(&[assumption]);
        }
        Level::Done
    }

    /// Whether what is looked for can no longer be found.
    fn is_beaten(&self) -> bool {
        let Cost { df, bs, ctx } = self.lower;
        // What counts as a whole is counted in the first part.
        self.limits.beat.is_some_and(|beat| [df, bs, ctx] >= beat)
    }

    /// One of the core's wishes is broken: from now on at most one may be.
    fn relax(
        &mut self,
        core: Vec<Literal>,
        counts: &mut Vec<Count>,
        owner: &mut HashMap<Literal, usize>,
        assumptions: &mut Vec<Literal>,
    ) {
        let broken: Vec<Literal> = core.iter().map(|wish| !*wish).collect();
        self.sat.clause(&broken);
        for wish in &core {
            if let Some(number) = owner.remove(wish) {
                let count = &mut counts[number];
                count.at_most += 1;
                let more = count.totalizer.at_least(count.at_most + 1, &mut self.sat);
                if let Some(more) = more {
                    owner.insert(!more, number);
                    assumptions.push(!more);
                }
            }
        }
        if broken.len() > 1 {
            let mut count = Count { totalizer: Totalizer::new(&broken), at_most: 1 };
            if let Some(more) = count.totalizer.at_least(2, &mut self.sat) {
                owner.insert(!more, counts.len());
                assumptions.push(!more);
            }
            counts.push(count);
        }
    }

    /// Tries to do without each of a core's wishes.
    fn smaller(&mut self, mut core: Vec<Literal>) -> Vec<Literal> {
        let mut place = 0;
        while place < core.len() && core.len() > 2 {
            let mut without = core.clone();
            without.remove(place);
            let (limits, conflicts) = (self.limits, self.sat.conflicts + PATIENCE);
            let questions = self.sat.questions + ORDERS;
            let answer = self.sat.solve(&without, &mut self.choices, &|sat| {
                sat.conflicts > conflicts || sat.questions > questions || limits.spent()
            });
            match answer {
                Verdict::Unsatisfiable(smaller) if !smaller.is_empty() => {
                    core.retain(|wish| smaller.contains(wish));
                }
                _ => place += 1,
            }
        }
        core
    }

    fn answer(&mut self, optimal: bool) -> Answer {
        let lower = self.lower;
        match self.choices.best.take() {
            Some((cost, order)) => {
                let (order, cost) = (Some(order), Some(cost));
                Answer { order, cost, lower, optimal, impossible: false, ended: optimal }
            }
            None => Answer { lower, ..Answer::nothing() },
        }
    }
}
