//! One run under a deterministic policy.

use serde_json::value::RawValue;
use unpick_engine::{Coverage, Next, Strategy, Ticket, as_text};
use unpick_model::{Plan, Policy, Run};

pub struct Fixed {
    name: &'static str,
    policy: Policy,
    done: bool,
}

impl Fixed {
    pub fn new(name: &'static str, policy: Policy) -> Fixed {
        Fixed { name, policy, done: false }
    }
}

impl Strategy for Fixed {
    fn name(&self) -> String {
        self.name.to_string()
    }

    fn next(&mut self) -> Next {
        if self.done {
            return Next::Done(Coverage::partial("one schedule was run"));
        }
        self.done = true;
        Next::Plan(0, Plan::new(self.policy))
    }

    fn observe(&mut self, _: Ticket, _: &Run) {}

    fn save(&self) -> Option<Box<RawValue>> {
        as_text(&self.done)
    }

    fn restore(&mut self, saved: &RawValue) -> bool {
        let done = serde_json::from_str(saved.get());
        self.done = done.as_ref().is_ok_and(|done| *done);
        done.is_ok()
    }

    fn restart(&mut self) {
        // With more locations known to be shared, the same policy makes other choices.
        self.done = false;
    }
}
