//! What a run came to: its outcome, with what the client and the check say, and all that it left.

use super::decoding::Decoding;
use super::output::read_output;
use super::{Ending, EngineError, Executor};
use crate::decode;
use crate::surroundings::Client;
use unpick_model::{Failure, Outcome, Output, Plan, Run, RunError, SharedRange, StackId, ThreadId};
use unpick_proto::{self as proto, notice, outcome};

impl Executor {
    pub(super) fn collect(
        &mut self,
        plan: &Plan,
        ending: Ending,
        mut decoding: Decoding,
    ) -> Result<Run, EngineError> {
        let control = self.shm.control();
        if !decode::is_possible(control) {
            self.lose_server();
            return Err(EngineError::Runtime("the program wrote into Unpick's own memory".into()));
        }
        if control.outcome == outcome::NONE {
            // It became another program, or was ended.
            control.notices |= notice::UNSEEN_END;
        }
        let expected_exit = self.config.surroundings.expected_exit;
        // A passing run that nobody wants to look at costs no more than its decisions.
        let telling = plan.events
            || plan.reduction.is_some()
            || !matches!(control.outcome, outcome::EXIT | outcome::DISCARDED | outcome::STEP_LIMIT)
            || (control.outcome == outcome::EXIT
                && control.outcome_detail as i32 & 0xff != expected_exit)
            || self.scene.judges();
        decoding.drain_rest(&self.shm, telling);
        let mut decoder = decoding.decoder;
        decoder.finish(control);
        if let Some(RunError(what)) = decoder.sink_error {
            return Err(EngineError::Events(what));
        }
        let mut outcome =
            decode::outcome_of(control, &decoder, expected_exit).map_err(EngineError::Runtime)?;
        let output =
            Output { stdout: read_output(&self.stdout), stderr: read_output(&self.stderr) };
        let mut world = if telling { self.shm.world().to_vec() } else { Vec::new() };
        if ended_as_told(&outcome, self.dismissed || plan.world.is_some()) {
            outcome = Outcome::Passed;
        }
        if outcome.passed()
            && let Some(objection) = self.objection(plan, &output, &mut world)?
        {
            outcome = Outcome::Failed {
                failure: Failure::Output,
                thread: ThreadId(0),
                message: objection,
                pc: 0,
                stack: StackId(0),
                said: None,
            };
        }
        crate::panics::explain(&mut outcome, &output.stderr);
        if let Outcome::TimeLimit { blocked_in, .. } = &mut outcome {
            *blocked_in = blocked_in.take().or(ending.blocked);
        }
        if let Some(message) = ending.exceeded {
            outcome = Outcome::Uncontrolled { message };
        }
        let control = self.shm.control();
        let newly_shared = (control.shared_before..control.shared.min(proto::MAX_SHARED as u32))
            .map(|i| self.shm.shared(i as usize))
            .map(|range| SharedRange { address: range.address, bytes: range.bytes })
            .collect();
        let bit = |words: &[u64], i: usize| words[i / 64] >> (i % 64) & 1 == 1;
        let met =
            |i: usize| bit(&control.constraints_met, i) && !bit(&control.constraints_broken, i);
        Ok(Run {
            outcome,
            stacks: decoder.take_stacks(),
            schedule: decoder.schedule,
            decisions: decoder.decisions,
            decided_after: decoder.decided_after,
            events: decoder.events,
            footprints: decoder.footprints,
            undone: decoder.undone,
            ended_in_turn: control.outcome_in_turn != 0,
            wide: decoder.wide,
            steps: control.steps,
            ended_at: (ThreadId(control.outcome_thread as u16), control.outcome_pc),
            threads: control.threads,
            newly_shared,
            known_shared: control.shared_before as usize,
            constraints_met: (0..plan.constraints.len()).map(met).collect(),
            notices: decode::notices(control.notices),
            modules: self.shm.modules(),
            output,
            world,
        })
    }

    /// What the client or the user's check have against a run that passed by itself.
    fn objection(
        &mut self,
        plan: &Plan,
        output: &Output,
        world: &mut Vec<u8>,
    ) -> Result<Option<String>, EngineError> {
        let status = match &plan.world {
            // A repetition has no client; what that said belongs to what came from outside.
            Some(world) => decode::client_status(world),
            None => self.client.as_mut().and_then(Client::status),
        };
        if let Some(status) = status {
            if plan.world.is_none() {
                decode::note_client(world, status);
            }
            if status != 0 {
                return Ok(Some(format!("the client ended with status {status}")));
            }
        }
        self.scene.objection(&self.stdout, output)
    }
}

/// A server without a handler for it is ended by the signal that says so: that is how it should end.
fn ended_as_told(outcome: &Outcome, told: bool) -> bool {
    let by_signal = matches!(
        outcome,
        Outcome::Failed { failure: Failure::Crash { signal: libc::SIGTERM, .. }, .. }
    );
    told && by_signal
}
