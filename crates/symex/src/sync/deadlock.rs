//! Nobody can run: who waits for what.

use super::*;
use crate::end::Failure;
use unpick_model::{StackId, ThreadId, Wait, WaitFor};

/// Why a state cannot go on in which threads are left.
#[derive(Clone, Debug)]
pub enum Stuck {
    /// All wait for each other.
    Deadlock(Failure),
    /// Somebody waits in a loop for a change that nobody will make: it runs, and gets nowhere.
    Livelock,
}

impl Machine {
    /// Is nobody enabled, although there are threads left?
    pub fn stuck(&mut self, state: &State) -> Option<Stuck> {
        let left = |thread: &usize| !state.thread(*thread).finished;
        let all: Vec<usize> = (0..state.threads.len()).filter(left).collect();
        if state.end.is_some() || all.is_empty() || all.iter().any(|&one| self.enabled(state, one))
        {
            return None;
        }
        let awaits = |thread: &usize| {
            let pending = state.thread(*thread).pending.as_ref();
            matches!(pending.map(|pending| &pending.operation), Some(Operation::Await { .. }))
        };
        if all.iter().any(awaits) {
            return Some(Stuck::Livelock);
        }
        let words: Vec<String> =
            self.waits(state).iter().map(|wait| self.waiting_words(state, wait)).collect();
        let first = all[0];
        Some(Stuck::Deadlock(self.failure(state, first, FailureKind::Deadlock, words.join("; "))))
    }

    /// What each thread waits for that cannot go on.
    pub fn waits(&self, state: &State) -> Vec<Wait> {
        let mut waits = Vec::new();
        for thread in 0..state.threads.len() {
            let one = state.thread(thread);
            let Some(pending) = &one.pending else { continue };
            if one.finished || self.enabled(state, thread) {
                continue;
            }
            let (what, object) = match pending.operation {
                Operation::Lock { mutex, .. } | Operation::Wake { mutex, asleep: false, .. } => {
                    (WaitFor::Mutex, mutex)
                }
                Operation::Stream { stream } => (WaitFor::Mutex, stream),
                Operation::Wake { condition, .. } => (WaitFor::Condition, condition),
                Operation::ReadLock { lock, .. } => (WaitFor::ReadLock, lock),
                Operation::WriteLock { lock, .. } => (WaitFor::WriteLock, lock),
                Operation::Join { .. } => (WaitFor::Thread, 0),
                Operation::Leave { barrier, .. } => (WaitFor::Barrier, barrier),
                Operation::Take { semaphore, .. } => (WaitFor::Semaphore, semaphore),
                Operation::EnterOnce { once } => (WaitFor::Once, once),
                _ => (WaitFor::Other, 0),
            };
            let holder = match pending.operation {
                Operation::Join { thread, .. } => Some(thread),
                _ => holder(state, object),
            };
            waits.push(Wait {
                thread: ThreadId(thread as u16),
                what,
                object,
                holder: holder.map(|holder| ThreadId(holder as u16)),
                pc: 0,
                stack: StackId(0),
                name: 0,
            });
        }
        waits
    }

    /// `T1 waits for mutex b (held by T2)`, as native findings have it.
    fn waiting_words(&self, state: &State, wait: &Wait) -> String {
        let thread = wait.thread;
        if wait.what == WaitFor::Thread {
            return match wait.holder {
                Some(other) => format!("{thread} waits for {other} to end"),
                None => format!("{thread} waits for a thread to end"),
            };
        }
        let holder = match wait.holder {
            Some(holder) if holder == thread => " (held by itself)".into(),
            Some(holder) => format!(" (held by {holder})"),
            None => String::new(),
        };
        let what = match wait.what {
            WaitFor::Mutex => "mutex",
            WaitFor::ReadLock => "a read lock on",
            WaitFor::WriteLock => "a write lock on",
            WaitFor::Condition => "a signal on",
            WaitFor::Barrier => "the others at barrier",
            WaitFor::Semaphore => "semaphore",
            WaitFor::Once => "the first caller of once",
            _ => "something at",
        };
        format!("{thread} waits for {what} {}{holder}", self.name_at(state, wait.object))
    }

    /// What the program calls an object: `table`, `table+8`, or its address.
    pub(crate) fn name_at(&self, state: &State, address: u64) -> String {
        use crate::names::Site;
        let zone = self.names.zone(address);
        let object = zone.and_then(|zone| state.memory.object(zone.object));
        let (Some(zone), Some(object)) = (zone, object) else { return format!("{address:#x}") };
        let name = match self.names.name(zone.object).map(|name| name.site) {
            Some(Site::Global(global)) => self.program.global(global).name.clone(),
            Some(Site::Instruction { function, block, at }) => {
                let block = self.program.function(function).blocks.get(block as usize);
                let instruction = block.and_then(|block| block.instructions.get(at as usize));
                match instruction.map(|instruction| &instruction.action) {
                    Some(unpick_ir::Action::Allocate { name, .. }) if !name.is_empty() => {
                        name.clone()
                    }
                    _ => self.describe(state, zone.object),
                }
            }
            _ => return format!("{address:#x}"),
        };
        match address - object.base {
            0 => name,
            offset => format!("{name}+{offset}"),
        }
    }
}

/// Who has the object.
fn holder(state: &State, object: u64) -> Option<usize> {
    let owner = state.sync.objects.get(object).owner;
    owner.or_else(|| {
        (0..state.threads.len()).find(|&thread| state.thread(thread).extra.held.contains(&object))
    })
}
