//! Locks and everything else that threads wait for.

use super::{Builder, WRITER};
use crate::execution::{Action, Place};
use crate::expression::{Binary, Expression};
use unpick_model::Op;
use unpick_symex::Performed;

impl Builder<'_> {
    pub(super) fn synchronise(&mut self, one: &Performed) {
        if one.op.is_access() {
            return;
        }
        let thread = one.thread;
        let place = self.place(thread, one.event, one.place);
        if self.tried.contains(&one.address) && self.by_state(one, &place) {
            return;
        }
        let plain: Option<(&str, Action)> = match one.op {
            Op::ThreadStart => Some(("S-start", Action::Start)),
            Op::ThreadExit => Some(("S-exit", Action::Exit)),
            Op::ThreadCreate { child } => Some(("S-fork", Action::Fork(child.index()))),
            Op::ThreadJoin { child }
            | Op::ThreadTryJoin { child, joined: true }
            | Op::ThreadTimedJoin { child, joined: true } => {
                Some(("S-join", Action::Join(child.index())))
            }
            Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(false);
                Some(("S-lock", Action::Lock(self.object(one))))
            }
            Op::WriteLock | Op::TryWriteLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(false);
                Some(("S-wrlock", Action::Lock(self.object(one))))
            }
            Op::ReadLock | Op::TryReadLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(true);
                Some(("S-rdlock", Action::ReadLock(self.object(one))))
            }
            Op::Unlock | Op::RwUnlock => {
                let held = self.threads[thread].held.entry(one.address).or_default().pop();
                let object = self.object(one);
                match held {
                    Some(true) => Some(("S-rdunlock", Action::ReadUnlock(object))),
                    _ => Some(("S-unlock", Action::Unlock(object))),
                }
            }
            Op::CondSignal { .. } => Some(("S-signal", Action::Signal(self.object(one)))),
            Op::CondBroadcast { .. } => Some(("S-broadcast", Action::Broadcast(self.object(one)))),
            Op::BarrierInit => {
                self.parties.insert(one.address, one.after as usize);
                None
            }
            Op::BarrierArrive => {
                let parties = self.parties.get(&one.address).copied().unwrap_or(0);
                let object = self.object(one);
                Some(("S-arrive", Action::Arrive { object, parties }))
            }
            Op::BarrierLeave => Some(("S-leave", Action::Leave(self.object(one)))),
            Op::SemInit => {
                let object = self.object(one);
                self.execution.counts[object] = one.after as usize;
                None
            }
            Op::SemPost => Some(("S-post", Action::Post(self.object(one)))),
            Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                Some(("S-take", Action::Take(self.object(one))))
            }
            _ => None,
        };
        if let Some((kind, action)) = plain {
            let kind = self.kind(kind, &action);
            self.push(thread, one.event, &kind, place, action);
            return;
        }
        self.wait(one, place);
    }

    /// With the object or thread that it is about.
    fn kind(&self, kind: &str, action: &Action) -> String {
        match action {
            Action::Start | Action::Exit => kind.to_string(),
            Action::Fork(thread) | Action::Join(thread) => format!("{kind}_{thread}"),
            Action::Lock(object)
            | Action::Unlock(object)
            | Action::ReadLock(object)
            | Action::ReadUnlock(object)
            | Action::Signal(object)
            | Action::Broadcast(object)
            | Action::Arrive { object, .. }
            | Action::Leave(object)
            | Action::Post(object)
            | Action::Take(object)
            | Action::Woken { object, .. } => {
                format!("{kind}_{}", self.execution.objects[*object])
            }
            _ => kind.to_string(),
        }
    }

    /// A wait is unlock, being woken, and lock.
    fn wait(&mut self, one: &Performed, place: Place) {
        let thread = one.thread;
        let mutex = |mutex: u64| Performed { address: mutex, ..one.clone() };
        match one.op {
            Op::CondWait { mutex: lock } => {
                // The condition's own name is that of the event: the mutex has one already.
                self.object(one);
                self.release(&mutex(lock), one.event, place);
            }
            Op::CondReacquire { mutex: lock, timed_out } => {
                if !timed_out {
                    let object = self.object(one);
                    let action = Action::Woken { object, released: Some(1) };
                    let kind = self.kind("S-wait", &action);
                    self.push(thread, one.event, &kind, place.clone(), action);
                }
                self.acquire(&mutex(lock), one.event, place);
            }
            _ => {}
        }
    }

    fn release(&mut self, lock: &Performed, begin: u64, place: Place) {
        self.threads[lock.thread].held.entry(lock.address).or_default().pop();
        if self.tried.contains(&lock.address) {
            let state = self.state_of(lock);
            let free = vec![(state, Expression::Constant(0))];
            self.push_access(lock.thread, (begin, place), Vec::new(), free);
            return;
        }
        let action = Action::Unlock(self.object(lock));
        let kind = self.kind("S-unlock", &action);
        self.push(lock.thread, begin, &kind, place, action);
    }

    fn acquire(&mut self, lock: &Performed, begin: u64, place: Place) {
        self.threads[lock.thread].held.entry(lock.address).or_default().push(false);
        if self.tried.contains(&lock.address) {
            let taken = Expression::Constant(WRITER);
            self.update(lock, (begin, place), Binary::Equal, 0, taken);
            return;
        }
        let action = Action::Lock(self.object(lock));
        let kind = self.kind("S-lock", &action);
        self.push(lock.thread, begin, &kind, place, action);
    }

    /// Reads an object's state, of which something must hold, and writes the next one.
    fn update(
        &mut self,
        one: &Performed,
        at: (u64, Place),
        must: Binary,
        bound: i128,
        next: Expression,
    ) {
        let state = self.state_of(one);
        let read = self.push_access(one.thread, at, vec![state], vec![(state, next)]);
        self.require(one.thread, read, must, bound);
    }

    fn look(&mut self, one: &Performed, at: (u64, Place), must: Binary, bound: i128) {
        let state = self.state_of(one);
        let read = self.push_access(one.thread, at, vec![state], Vec::new());
        self.require(one.thread, read, must, bound);
    }

    pub(super) fn require(&mut self, thread: usize, read: usize, must: Binary, bound: i128) {
        let condition =
            Expression::binary(must, Expression::Read(read), Expression::Constant(bound));
        let doing = &mut self.threads[thread];
        doing.conditions.push((doing.steps.len(), condition));
    }

    /// An operation on an object that is a location.
    fn by_state(&mut self, one: &Performed, place: &Place) -> bool {
        let thread = one.thread;
        let at = (one.event, place.clone());
        let read = Expression::Read(self.threads[thread].reads);
        let plus =
            |by: i128| Expression::binary(Binary::Add, read.clone(), Expression::Constant(by));
        match one.op {
            Op::Lock | Op::TryLock { acquired: true } | Op::TimedLock { acquired: true } => {
                self.acquire(one, one.event, place.clone());
            }
            Op::WriteLock | Op::TryWriteLock { acquired: true } => {
                self.acquire(one, one.event, place.clone());
            }
            Op::ReadLock | Op::TryReadLock { acquired: true } => {
                self.threads[thread].held.entry(one.address).or_default().push(true);
                self.update(one, at, Binary::Less, WRITER, plus(1));
            }
            Op::Unlock | Op::RwUnlock => {
                let held = self.threads[thread].held.get(&one.address).and_then(|it| it.last());
                if held == Some(&true) {
                    self.threads[thread].held.entry(one.address).or_default().pop();
                    self.update(one, at, Binary::Different, 0, plus(-1));
                } else {
                    self.release(one, one.event, place.clone());
                }
            }
            Op::TryLock { .. } | Op::TimedLock { .. } | Op::TryWriteLock { .. } => {
                self.look(one, at, Binary::Different, 0);
            }
            Op::TryReadLock { .. } => self.look(one, at, Binary::Equal, WRITER),
            Op::SemInit => {
                let state = self.state_of(one);
                self.execution.initial[state] = one.after as i128;
            }
            Op::SemPost => self.update(one, at, Binary::Different, -1, plus(1)),
            Op::SemWait { acquired: true } | Op::SemTryWait { acquired: true } => {
                self.update(one, at, Binary::Different, 0, plus(-1));
            }
            Op::SemWait { .. } | Op::SemTryWait { .. } => self.look(one, at, Binary::Equal, 0),
            Op::SemGetValue => {
                let found = self.event(thread, one.event).map_or(0, |event| event.before);
                self.look(one, at, Binary::Equal, found as i128);
            }
            Op::OnceEnter { first: true } => {
                self.update(one, at, Binary::Equal, 0, Expression::Constant(1));
            }
            Op::OnceEnter { first: false } => self.look(one, at, Binary::Equal, 2),
            Op::OnceDone => {
                let state = self.state_of(one);
                let done = vec![(state, Expression::Constant(2))];
                self.push_access(thread, at, Vec::new(), done);
            }
            _ => return false,
        }
        true
    }
}
