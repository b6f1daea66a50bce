//! Whether a trace's references hold: what everybody downstream relies on.

use unpick_model::{Event, Failure, Op, Outcome, StackId, ThreadId, Trace};

/// Says what is wrong, if anything is. After `Ok`:
/// - every thread, stack and name that is mentioned exists (stack 0 and name 0 mean none);
/// - a stack's parent comes before it, so that walking outwards ends;
/// - a thread's creator has a smaller number than the thread;
/// - along the schedule and along the events, a thread's count never falls;
/// - the bytes of large values belong to events, in their order.
pub fn check(trace: &Trace) -> Result<(), String> {
    let bounds = Bounds::of(trace);
    bounds.stacks(trace)?;
    for (i, thread) in trace.threads.iter().enumerate() {
        if let Some(creator) = thread.created_by
            && creator.index() >= i
        {
            return Err(format!("thread T{i} was created by {creator}, which is not older"));
        }
    }
    bounds.schedule(trace)?;
    bounds.outcome(&trace.outcome).map_err(|what| format!("in the outcome: {what}"))?;
    bounds.events(trace)
}

pub(crate) struct Bounds {
    threads: usize,
    stacks: usize,
    names: usize,
}

impl Bounds {
    pub(crate) fn of(trace: &Trace) -> Bounds {
        Bounds {
            threads: trace.threads.len(),
            stacks: trace.stacks.len().max(1),
            names: trace.names.len(),
        }
    }

    /// All events, or those of a part.
    pub(crate) fn events(&self, trace: &Trace) -> Result<(), String> {
        let mut counts = vec![0; self.threads];
        for (i, event) in trace.events.iter().enumerate() {
            self.event(event, &mut counts).map_err(|what| format!("in event {i}: {what}"))?;
        }
        let mut next = 0;
        for (i, wide) in trace.wide.iter().enumerate() {
            if wide.event < next || wide.event >= trace.events.len() as u64 {
                return Err(format!("large value {i} belongs to no event"));
            }
            next = wide.event + 1;
        }
        Ok(())
    }

    fn thread(&self, thread: ThreadId) -> Result<(), String> {
        if thread.index() < self.threads {
            return Ok(());
        }
        Err(format!("there is no thread {thread} (of {})", self.threads))
    }

    fn stack(&self, stack: StackId) -> Result<(), String> {
        if (stack.0 as usize) < self.stacks {
            return Ok(());
        }
        Err(format!("there is no stack {} (of {})", stack.0, self.stacks))
    }

    fn name(&self, name: u32) -> Result<(), String> {
        if name as usize <= self.names {
            return Ok(());
        }
        Err(format!("there is no name {name} (of {})", self.names))
    }

    fn stacks(&self, trace: &Trace) -> Result<(), String> {
        for (i, frame) in trace.stacks.iter().enumerate() {
            if frame.parent.0 as usize >= i.max(1) {
                return Err(format!("stack {i} has parent {}, not before it", frame.parent.0));
            }
        }
        Ok(())
    }

    fn schedule(&self, trace: &Trace) -> Result<(), String> {
        let mut done = vec![0; self.threads];
        for (i, segment) in trace.schedule.segments.iter().enumerate() {
            self.thread(segment.thread).map_err(|what| format!("in segment {i}: {what}"))?;
            let before = &mut done[segment.thread.index()];
            if segment.until < *before {
                return Err(format!("in segment {i}: {} runs backwards", segment.thread));
            }
            *before = segment.until;
        }
        for (i, pick) in trace.schedule.picks.iter().enumerate() {
            self.thread(pick.thread).map_err(|what| format!("in choice {i}: {what}"))?;
        }
        Ok(())
    }

    fn outcome(&self, outcome: &Outcome) -> Result<(), String> {
        match outcome {
            Outcome::Failed { failure, thread, stack, .. } => {
                self.thread(*thread)?;
                self.stack(*stack)?;
                match failure {
                    Failure::Deadlock { waits } => waits.iter().try_for_each(|wait| {
                        self.thread(wait.thread)?;
                        wait.holder.map_or(Ok(()), |holder| self.thread(holder))?;
                        self.stack(wait.stack)?;
                        self.name(wait.name)
                    }),
                    Failure::LockMisuse { name, .. } => self.name(*name),
                    Failure::Heap(error) => {
                        for site in [error.allocated, error.freed].into_iter().flatten() {
                            self.thread(site.thread)?;
                            self.stack(site.stack)?;
                        }
                        self.name(error.name)
                    }
                    Failure::Assertion
                    | Failure::Abort
                    | Failure::Crash { .. }
                    | Failure::Exception
                    | Failure::Livelock
                    | Failure::ExitStatus { .. }
                    | Failure::Output => Ok(()),
                }
            }
            Outcome::TimeLimit { thread, stack, .. } => {
                self.thread(*thread)?;
                self.stack(*stack)
            }
            Outcome::Passed
            | Outcome::StepLimit
            | Outcome::Discarded
            | Outcome::Redundant
            | Outcome::Diverged { .. }
            | Outcome::Uncontrolled { .. } => Ok(()),
        }
    }

    fn event(&self, event: &Event, counts: &mut [u64]) -> Result<(), String> {
        self.thread(event.thread)?;
        self.stack(event.stack)?;
        self.name(event.name)?;
        match event.op {
            Op::ThreadCreate { child }
            | Op::ThreadJoin { child }
            | Op::ThreadDetach { child }
            | Op::ThreadCancel { child }
            | Op::ThreadTryJoin { child, .. }
            | Op::ThreadTimedJoin { child, .. } => self.thread(child)?,
            Op::CondSignal { woken: Some(woken) } => self.thread(woken)?,
            Op::SignalSend { to: Some(to), .. } => self.thread(to)?,
            _ => {}
        }
        let count = &mut counts[event.thread.index()];
        if event.count < *count {
            return Err(format!("{} goes back from {count} to {}", event.thread, event.count));
        }
        *count = event.count;
        Ok(())
    }
}
