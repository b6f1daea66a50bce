//! The order of a free run, for [`Policy::Native`](unpick_model::Policy::Native): `unpick_runtime::native` says what it
//! models and what is missed.

use super::start::OPENMP;
use super::{EngineError, Executor};
use crate::free::{self, Notes};
use std::process::{Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use unpick_model::{Notice, Plan, Run};
use unpick_proto::{MAX_SEGMENTS, Segment};

/// A run that the system scheduled.
pub(super) struct Observed {
    segments: Vec<Segment>,
    /// As far as its exit status tells.
    passed: bool,
    /// It did not end by itself: nobody knows what would have come of it.
    ended: bool,
}

impl Observed {
    pub(super) fn segments(&self) -> &[Segment] {
        &self.segments
    }
}

impl Executor {
    /// Leaves a run to the system, in the same surroundings as all others.
    pub(super) fn observe(&mut self, plan: &Plan) -> Result<Observed, EngineError> {
        if self.scene.has_client() {
            let why = "--strategy native: a program that a client drives is not left to the system";
            return Err(EngineError::Runtime(why.into()));
        }
        self.scene.reset()?;
        let mut command = Command::new(&self.config.program);
        command.args(&self.config.args).stdin(self.scene.stdin());
        command.stdout(Stdio::null()).stderr(Stdio::null());
        if let Some(folder) = self.scene.folder() {
            command.current_dir(folder);
        }
        let unset = OPENMP.iter().filter(|(name, _)| std::env::var_os(name).is_none());
        command.envs(unset.copied()).envs(self.config.environment.iter().cloned());
        let limit = Duration::from_millis(plan.limits.milliseconds);
        let is_over = || {
            self.stop.is_some_and(|stop| stop.load(Ordering::Relaxed))
                || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        };
        let noted = free::run(command, Notes::Times, limit, &is_over)?;
        let segments = in_order(&noted.times()?);
        let expected = self.config.surroundings.expected_exit;
        Ok(Observed { segments, passed: noted.status.code() == Some(expected), ended: noted.ended })
    }

    /// Did the run under control come to the same end? Where somebody else judges, that is not known.
    pub(super) fn compare(&self, observed: &Observed, run: &mut Run) {
        let known = !observed.ended && !self.scene.judges();
        let judged = run.outcome.passed() || run.outcome.failed();
        if known && judged && observed.passed != run.outcome.passed() {
            run.notices.push(Notice::Strayed);
        }
    }
}

/// Each thread's times, which rise, as who ran up to which of its hooks.
fn in_order(times: &[Vec<u64>]) -> Vec<Segment> {
    let mut all: Vec<(u64, u32)> = Vec::new();
    for (thread, times) in times.iter().enumerate() {
        all.extend(times.iter().map(|&time| (time, thread as u32)));
    }
    // Of a thread's own hooks none may change places.
    all.sort_by_key(|(time, _)| *time);
    let mut passed = vec![0; times.len()];
    let mut segments: Vec<Segment> = Vec::new();
    for (_, thread) in all {
        passed[thread as usize] += 1;
        let until = passed[thread as usize];
        match segments.last_mut() {
            Some(last) if last.thread == thread => last.until = until,
            _ => segments.push(Segment { thread, _pad: 0, until }),
        }
    }
    segments.truncate(MAX_SEGMENTS);
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_become_segments() {
        let segments = in_order(&[vec![10, 20, 60], vec![30, 40], vec![], vec![50]]);
        let told: Vec<(u32, u64)> =
            segments.iter().map(|segment| (segment.thread, segment.until)).collect();
        assert_eq!(told, [(0, 2), (1, 2), (3, 1), (0, 3)]);
        assert!(in_order(&[]).is_empty());
    }
}
