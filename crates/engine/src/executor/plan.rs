//! Writing a plan into the memory that the program shares.

use super::{EngineError, Executor, NO_STATUS};
use unpick_model::{Constraint, Look, Plan, Point, Policy, Record};
use unpick_proto::{self as proto, outcome, plan_flag, policy};

impl Executor {
    pub(super) fn reset_results(&self) {
        let control = self.shm.control();
        control.outcome = outcome::NONE;
        control.outcome_thread = 0;
        control.outcome_detail = 0;
        control.outcome_address = 0;
        control.outcome_pc = 0;
        control.outcome_line = 0;
        control.outcome_count = 0;
        control.outcome_in_turn = 0;
        control.message[..4].fill(0);
        control.records = 0;
        control.drained = 0;
        control.log_waits = 0;
        control.steps = 0;
        control.threads = 0;
        control.constraints_broken.fill(0);
        control.constraints_met.fill(0);
        control.notices = 0;
        control.diverged_at = 0;
        control.module_bytes = 0;
        control.holder_thread = 0;
        control.pid = 0;
        control.holder = 0;
        control.wait_status = NO_STATUS;
        control.world_bytes = 0;
        control.alone = 0;
        (control.giving_up, control.client_idle) = (0, 0);
    }

    pub(super) fn write_plan(&mut self, plan: &Plan) -> Result<(), EngineError> {
        let fits = |what, got: usize, most: usize| {
            if got > most { Err(EngineError::TooLong { what, got, most }) } else { Ok(()) }
        };
        fits("segments", plan.prefix.segments.len(), proto::MAX_SEGMENTS)?;
        fits("choices", plan.prefix.picks.len(), proto::MAX_PICKS)?;
        fits("constraints", plan.constraints.len(), proto::MAX_CONSTRAINTS)?;
        let functions = &self.config.atomic_functions;
        fits("atomic functions", functions.len(), proto::MAX_ATOMIC_FUNCTIONS)?;
        fits("shared locations", self.learned.len(), proto::MAX_SHARED)?;
        let control = self.shm.control();
        (control.policy, control.depth, control.length) = match plan.policy {
            Policy::Stay => (policy::STAY, 0, 0),
            Policy::Random => (policy::RANDOM, 0, 0),
            Policy::Pct { depth, length } => (policy::PCT, depth, length),
            Policy::Pos => (policy::POS, 0, 0),
            Policy::RoundRobin => (policy::ROUND_ROBIN, 0, 0),
            Policy::ReversePriority => (policy::REVERSE_PRIORITY, 0, 0),
            Policy::Native => (policy::NATIVE, 0, 0),
        };
        control.seed = plan.seed;
        control.max_steps = plan.limits.steps;
        control.spurious = plan.spurious;
        control.early = plan.early;
        control.flags = [
            (plan.record == Record::Full || plan.early > 0, plan_flag::FULL),
            (plan.decisions, plan_flag::DECISIONS),
            (plan.strict, plan_flag::STRICT),
            (plan.proposed, plan_flag::PROPOSED),
            (matches!(plan.record, Record::Contested | Record::Racing), plan_flag::CONTESTED),
            (plan.record == Record::Racing, plan_flag::RACES),
            (plan.trap, plan_flag::TRAP),
            (self.first_run, plan_flag::CHECK_THREADS),
            (self.early, plan_flag::EARLY),
            (self.blocks, plan_flag::BLOCKS),
            (plan.world.is_some(), plan_flag::ANSWERED),
            (plan.reduction.is_some(), plan_flag::REDUCED),
            (plan.look >= Look::Functions, plan_flag::FUNCTIONS),
            (plan.look >= Look::Accesses, plan_flag::EACH_ACCESS),
            (self.scene.has_client(), plan_flag::DRIVEN),
            (self.scene.looks_at_output(), plan_flag::LOOKED_AT),
        ]
        .into_iter()
        .filter(|(wanted, _)| *wanted)
        .fold(0, |flags, (_, bit)| flags | bit);
        let world = plan.world.as_deref().unwrap_or_default();
        fits("bytes from outside", world.len(), proto::MAX_WORLD_BYTES)?;
        self.shm.set_world(world);
        control.atomic_functions = functions.len() as u32;
        for (slot, &(from, to)) in control.atomic_function.iter_mut().zip(functions) {
            *slot = [from, to];
        }
        self.shm.set_segments(plan.prefix.segments.iter().map(|segment| proto::Segment {
            thread: segment.thread.0 as u32,
            _pad: 0,
            until: segment.until,
        }));
        self.shm.set_picks(plan.prefix.picks.iter().map(|pick| proto::Pick {
            thread: pick.thread.0 as u32,
            _pad: 0,
            count: pick.count,
            value: pick.value,
        }));
        let reduction = plan.reduction.as_ref();
        let sleepers = reduction.map_or(&[][..], |reduction| &reduction.sleepers);
        // Who does not fit stays awake: that costs runs, but loses none.
        self.shm.set_sleepers(sleepers.iter().take(proto::MAX_SLEEPERS).map(|sleeper| {
            let thread = sleeper.thread.0 as u32;
            proto::Sleeper { thread, _pad: 0, footprint: sleeper.footprint }
        }));
        control.sleep_from = reduction.map_or(0, |reduction| reduction.sleep_from as u32);
        self.shm.set_constraints(plan.constraints.iter().map(encode_constraint));
        for (i, range) in self.learned.ranges().iter().enumerate().skip(self.taught) {
            self.shm
                .set_shared(i, proto::SharedRange { address: range.address, bytes: range.bytes });
        }
        self.taught = self.learned.len();
        control.shared = self.taught as u32;
        control.shared_before = self.taught as u32;
        Ok(())
    }
}

fn encode_constraint(constraint: &Constraint) -> proto::Constraint {
    let point = |point: &Point| proto::Point {
        thread: point.thread.map_or(proto::ANY_THREAD, |thread| thread.0 as u32),
        _pad: 0,
        count: point.count.unwrap_or(proto::ANY_COUNT),
        pc_from: point.pc.map_or(0, |(from, _)| from),
        pc_to: point.pc.map_or(0, |(_, to)| to),
    };
    let (kind, a, b) = match constraint {
        Constraint::Adjacent(a, b) => (proto::constraint::ADJACENT, a, b),
        Constraint::Unbroken(a, b) => (proto::constraint::UNBROKEN, a, b),
        Constraint::After(a, b) => (proto::constraint::AFTER, a, b),
    };
    proto::Constraint { kind, _pad: 0, a: point(a), b: point(b) }
}
