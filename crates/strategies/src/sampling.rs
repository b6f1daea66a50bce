//! Random schedules: a walk, PCT (Burckhardt et al. 2010) or POS (Yuan et al. 2018). The policies
//! themselves are in the runtime; a run is named by its seed. And what comes by chance on this machine, which no seed names.

use serde_json::value::RawValue;
use unpick_engine::{Next, Strategy, Ticket, as_text};
use unpick_model::{Plan, Policy, Record, Run};

enum Kind {
    Random,
    Pct { depth: u32 },
    Pos,
    Native,
}

pub struct Sampling {
    kind: Kind,
    seed: u64,
    drawn: u64,
    /// PCT places its priority changes in a run of this length: the longest seen.
    length: u64,
}

impl Sampling {
    pub fn random(seed: u64) -> Sampling {
        Sampling { kind: Kind::Random, seed, drawn: 0, length: 32 }
    }
    pub fn pct(seed: u64, depth: u32) -> Sampling {
        Sampling { kind: Kind::Pct { depth }, ..Sampling::random(seed) }
    }
    pub fn pos(seed: u64) -> Sampling {
        Sampling { kind: Kind::Pos, ..Sampling::random(seed) }
    }
    pub fn native() -> Sampling {
        Sampling { kind: Kind::Native, ..Sampling::random(0) }
    }
}

impl Strategy for Sampling {
    fn name(&self) -> String {
        match self.kind {
            Kind::Random => "random".into(),
            Kind::Pct { .. } => "pct".into(),
            Kind::Pos => "pos".into(),
            Kind::Native => "native".into(),
        }
    }

    fn next(&mut self) -> Next {
        let policy = match self.kind {
            Kind::Random => Policy::Random,
            Kind::Pct { depth } => Policy::Pct { depth, length: self.length },
            Kind::Pos => Policy::Pos,
            Kind::Native => Policy::Native,
        };
        let mut plan = Plan::new(policy);
        plan.record = Record::Contested;
        plan.seed = self.seed.wrapping_mul(0x9E37_79B9_7F4A_7C15).wrapping_add(self.drawn).max(1);
        self.drawn += 1;
        Next::Plan(self.drawn, plan)
    }

    fn observe(&mut self, _: Ticket, run: &Run) {
        self.length = self.length.max(run.steps);
    }

    fn save(&self) -> Option<Box<RawValue>> {
        as_text(&(self.drawn, self.length))
    }

    fn restore(&mut self, saved: &RawValue) -> bool {
        let Ok(saved) = serde_json::from_str(saved.get()) else { return false };
        (self.drawn, self.length) = saved;
        true
    }
}
