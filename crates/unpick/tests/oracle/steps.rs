//! Which steps a state allows, and what they do.

use super::Result;
use super::language::*;
use super::state::*;

impl Model {
    pub(super) fn start(&self) -> Result<State> {
        let threads = self
            .programs
            .iter()
            .map(|p| Thread {
                life: Life::Unborn,
                phase: Phase::Before,
                pc: 0,
                registers: vec![0; p.registers],
                cancel: false,
                uncancelable: false,
                handlers: None,
                seen: Vec::new(),
                changed: false,
            })
            .collect();
        let mut state = State {
            threads,
            objects: self.objects.clone(),
            atomic: 0,
            spurious: self.spurious,
            ended: None,
        };
        state.threads[0].life = Life::Alive;
        self.settle(&mut state, 0)?;
        Ok(state)
    }

    /// Executes what is local, up to the thread's next step.
    fn settle(&self, state: &mut State, t: usize) -> Result<()> {
        for _ in 0..10_000 {
            let thread = &mut state.threads[t];
            if thread.life != Life::Alive {
                return Ok(());
            }
            let Some(instr) = self.programs[t].code.get(thread.pc) else { return Ok(()) };
            match instr {
                Instr::Let(register, value) => {
                    thread.registers[*register] = value.value(&thread.registers);
                    thread.pc += 1;
                }
                Instr::Goto(to) => thread.pc = *to,
                Instr::Round => {
                    thread.seen.clear();
                    thread.changed = false;
                    thread.pc += 1;
                }
                Instr::OnCancel(to) => {
                    thread.handlers = Some(*to);
                    thread.pc += 1;
                }
                Instr::Cancelable(may) => {
                    thread.uncancelable = !may;
                    thread.pc += 1;
                }
                Instr::Consistent(m) => {
                    thread.pc += 1;
                    if let Object::Mutex { robust, .. } = &mut state.objects[*m] {
                        *robust = Robust::Sound;
                    }
                }
                Instr::If(condition, to) => {
                    let holds = condition.value(&thread.registers) != 0;
                    thread.pc = if holds { *to } else { thread.pc + 1 };
                }
                Instr::Assert(condition) => {
                    if condition.value(&thread.registers) == 0 {
                        state.ended = Some(End::Failed);
                        return Ok(());
                    }
                    thread.pc += 1;
                }
                _ => return Ok(()),
            }
        }
        Err(format!("thread `{}` loops without a step", self.programs[t].name))
    }

    /// Threads that sleep in an operation on `object`.
    pub(super) fn sleepers(&self, state: &State, object: usize) -> Vec<usize> {
        (0..state.threads.len())
            .filter(|&t| {
                let thread = &state.threads[t];
                thread.life == Life::Alive
                    && thread.phase == Phase::Asleep
                    && match self.programs[t].code.get(thread.pc) {
                        Some(Instr::Wait { cond, .. }) => *cond == object,
                        Some(Instr::Barrier(barrier, _)) => *barrier == object,
                        Some(Instr::FutexWait { var, .. }) => *var == object,
                        _ => false,
                    }
            })
            .collect()
    }

    /// Is the thread at a cancellation point, with a request to give in to?
    fn gives_in(&self, state: &State, t: usize) -> bool {
        let thread = &state.threads[t];
        let point = matches!(
            self.programs[t].code.get(thread.pc),
            Some(Instr::Join(_) | Instr::SemWait(_) | Instr::TestCancel | Instr::Sleep)
        );
        point && Self::is_due(thread)
    }

    fn is_due(thread: &Thread) -> bool {
        thread.life == Life::Alive && thread.cancel && !thread.uncancelable
    }

    /// On to its handlers, or else to its end; it cannot be cancelled twice.
    fn give_in(&self, state: &mut State, t: usize) -> Result<()> {
        let thread = &mut state.threads[t];
        thread.uncancelable = true;
        thread.phase = Phase::Before;
        thread.pc = thread.handlers.unwrap_or(self.programs[t].code.len());
        self.settle(state, t)
    }

    pub(super) fn enabled(&self, state: &State, t: usize) -> bool {
        let thread = &state.threads[t];
        match thread.life {
            Life::Unborn | Life::Done => return false,
            _ if state.atomic != 0 && state.atomic != t + 1 => return false,
            Life::Ready => return true,
            Life::Alive => {}
        }
        if self.gives_in(state, t) {
            return true;
        }
        // A thread at the end of its list is about to exit.
        let Some(instr) = self.programs[t].code.get(thread.pc) else { return true };
        let free = |mutex: usize| {
            matches!(state.objects[mutex], Object::Mutex { recursive, owner, .. }
                if owner == 0 || (owner == t + 1 && recursive))
        };
        match *instr {
            Instr::Join(child) => state.threads[child].life == Life::Done,
            // Relocking one's own is a step, and it fails.
            Instr::Lock(m, _) => {
                free(m) || matches!(state.objects[m], Object::Mutex { owner, .. } if owner == t + 1)
            }
            Instr::Wait { mutex, timed, .. } => match thread.phase {
                Phase::Before => true,
                Phase::Asleep => timed.is_some(),
                Phase::Woken | Phase::TimedOut | Phase::Cancelled => free(mutex),
            },
            Instr::ReadLock(l) => matches!(state.objects[l], Object::Rw { writer: 0, .. }),
            Instr::WriteLock(l) => {
                matches!(state.objects[l], Object::Rw { writer: 0, readers: 0 })
            }
            Instr::Barrier(..) | Instr::FutexWait { .. } => thread.phase != Phase::Asleep,
            Instr::SemWait(s) => matches!(state.objects[s], Object::Semaphore(n) if n > 0),
            Instr::Once { once, .. } => !matches!(state.objects[once], Object::Once(1)),
            Instr::Await => thread.changed,
            _ => true,
        }
    }

    /// The states after `t`'s next step: more than one where the step itself is a choice.
    pub(super) fn step(&self, before: &State, t: usize) -> Result<Vec<State>> {
        let mut after = self.execute(before, t)?;
        for state in &mut after {
            let changed = |object: &usize| before.objects[*object] != state.objects[*object];
            for (other, thread) in state.threads.iter_mut().enumerate() {
                thread.changed |= other != t && thread.seen.iter().any(changed);
            }
        }
        Ok(after)
    }

    /// Notes what the thread has looked at, if that has changed nothing and it may wait for it later.
    fn look(&self, before: &State, after: &mut State, t: usize, instr: &Instr) {
        let object = match *instr {
            Instr::Read(object, _)
            | Instr::Rmw { var: object, .. }
            | Instr::Cas { var: object, .. }
            | Instr::TryLock(object, _)
            | Instr::TryReadLock(object, _)
            | Instr::TryWriteLock(object, _)
            | Instr::SemTryWait(object, _) => object,
            _ => return,
        };
        let waits = self.programs[t].code.iter().any(|instr| matches!(instr, Instr::Await));
        let seen = &mut after.threads[t].seen;
        if waits && before.objects[object] == after.objects[object] && !seen.contains(&object) {
            seen.push(object);
            seen.sort_unstable();
        }
    }

    fn execute(&self, before: &State, t: usize) -> Result<Vec<State>> {
        let mut state = before.clone();
        let me = t + 1;
        let mut next = state.threads[t].pc + 1;
        let mut choices: Vec<State> = Vec::new();
        macro_rules! stay {
            ($phase:expr) => {{
                state.threads[t].phase = $phase;
                return Ok(vec![state]);
            }};
        }
        macro_rules! fail {
            () => {{
                state.ended = Some(End::Failed);
                return Ok(vec![state]);
            }};
        }
        if state.threads[t].life == Life::Ready {
            state.threads[t].life = Life::Alive;
            self.settle(&mut state, t)?;
            return Ok(vec![state]);
        }
        if self.gives_in(&state, t) {
            self.give_in(&mut state, t)?;
            return Ok(vec![state]);
        }
        let Some(instr) = self.programs[t].code.get(state.threads[t].pc) else {
            // The end of `main` is the end of the program, and a step: others may come before it.
            match t {
                0 => state.ended = Some(End::Passed),
                _ => Self::leave(&mut state, t),
            }
            return Ok(vec![state]);
        };
        let registers = state.threads[t].registers.clone();
        let give = |state: &mut State, into: Register, value: i64| {
            if let Some(register) = into {
                state.threads[t].registers[register] = value;
            }
        };
        match instr {
            Instr::Create(child) => {
                if state.threads[*child].life != Life::Unborn {
                    return Err(format!("`{}` is created twice", self.programs[*child].name));
                }
                state.threads[*child].life = Life::Ready;
            }
            Instr::Join(_) | Instr::Nop | Instr::Sleep | Instr::TestCancel => {}
            Instr::Await => {
                state.threads[t].seen.clear();
                state.threads[t].changed = false;
            }
            Instr::TryJoin(child, into) => {
                let ended = state.threads[*child].life == Life::Done;
                give(&mut state, *into, ended as i64);
            }
            Instr::Cancel(other) => {
                state.threads[*other].cancel = true;
                let waits = matches!(
                    self.programs[*other].code.get(state.threads[*other].pc),
                    Some(Instr::Wait { .. })
                );
                let other = &mut state.threads[*other];
                if waits && other.phase == Phase::Asleep && Self::is_due(other) {
                    other.phase = Phase::Cancelled;
                }
            }
            Instr::End => {
                state.ended = Some(End::Passed);
                return Ok(vec![state]);
            }
            Instr::Exit => {
                Self::leave(&mut state, t);
                return Ok(vec![state]);
            }
            Instr::Read(var, into) => {
                let Object::Variable(value) = state.objects[*var] else { unreachable!() };
                give(&mut state, *into, value);
            }
            Instr::Write(var, value) => {
                state.objects[*var] = Object::Variable(value.value(&registers));
            }
            Instr::Rmw { var, add, value, old } => {
                let Object::Variable(was) = state.objects[*var] else { unreachable!() };
                let value = value.value(&registers);
                state.objects[*var] = Object::Variable(if *add { was + value } else { value });
                give(&mut state, *old, was);
            }
            Instr::Cas { var, expected, new, ok } => {
                let same = state.objects[*var] == Object::Variable(expected.value(&registers));
                if same {
                    state.objects[*var] = Object::Variable(new.value(&registers));
                }
                give(&mut state, *ok, same as i64);
            }
            Instr::Lock(m, into) => {
                let Object::Mutex { recursive, owner, depth, mut robust } = state.objects[*m]
                else {
                    unreachable!()
                };
                if owner == me && !recursive {
                    fail!();
                }
                let told = match robust {
                    Robust::OwnerDead => 1,
                    Robust::Lost => 2,
                    _ => 0,
                };
                if told == 1 {
                    robust = Robust::Inconsistent;
                }
                if told != 2 {
                    let (owner, depth) = (me, depth + 1);
                    state.objects[*m] = Object::Mutex { recursive, owner, depth, robust };
                }
                give(&mut state, *into, told);
            }
            Instr::TryLock(m, into) => {
                let Object::Mutex { recursive, owner, depth, robust } = state.objects[*m] else {
                    unreachable!()
                };
                let free = owner == 0 || (owner == me && recursive);
                if free {
                    let (owner, depth) = (me, depth + 1);
                    state.objects[*m] = Object::Mutex { recursive, owner, depth, robust };
                }
                give(&mut state, *into, free as i64);
            }
            Instr::Unlock(m) => {
                let Object::Mutex { recursive, owner, depth, mut robust } = state.objects[*m]
                else {
                    unreachable!()
                };
                if owner != me {
                    fail!();
                }
                let (owner, depth) = if depth == 1 { (0, 0) } else { (me, depth - 1) };
                if owner == 0 && robust == Robust::Inconsistent {
                    robust = Robust::Lost;
                }
                state.objects[*m] = Object::Mutex { recursive, owner, depth, robust };
            }
            Instr::Wait { mutex, timed, .. } => {
                let Object::Mutex { recursive, owner, depth, robust } = state.objects[*mutex]
                else {
                    unreachable!()
                };
                match state.threads[t].phase {
                    Phase::Before => {
                        if owner != me || depth != 1 {
                            fail!();
                        }
                        state.objects[*mutex] =
                            Object::Mutex { recursive, owner: 0, depth: 0, robust };
                        if Self::is_due(&state.threads[t]) {
                            stay!(Phase::Cancelled);
                        }
                        return Ok(Self::asleep_or_not(state, t));
                    }
                    Phase::Asleep => stay!(Phase::TimedOut),
                    phase => {
                        state.objects[*mutex] =
                            Object::Mutex { recursive, owner: me, depth: 1, robust };
                        if phase == Phase::Cancelled {
                            self.give_in(&mut state, t)?;
                            return Ok(vec![state]);
                        }
                        if let Some(into) = timed {
                            give(&mut state, *into, (phase == Phase::TimedOut) as i64);
                        }
                    }
                }
            }
            Instr::Signal(cond) => {
                for sleeper in self.sleepers(&state, *cond) {
                    let mut one = state.clone();
                    one.threads[sleeper].phase = Phase::Woken;
                    choices.push(one);
                }
            }
            Instr::Broadcast(cond) => {
                for sleeper in self.sleepers(&state, *cond) {
                    state.threads[sleeper].phase = Phase::Woken;
                }
            }
            Instr::ReadLock(l) => {
                let Object::Rw { writer, readers } = state.objects[*l] else { unreachable!() };
                state.objects[*l] = Object::Rw { writer, readers: readers + 1 };
            }
            Instr::WriteLock(l) => state.objects[*l] = Object::Rw { writer: me, readers: 0 },
            Instr::TryReadLock(l, into) => {
                let Object::Rw { writer, readers } = state.objects[*l] else { unreachable!() };
                if writer == 0 {
                    state.objects[*l] = Object::Rw { writer, readers: readers + 1 };
                }
                give(&mut state, *into, (writer == 0) as i64);
            }
            Instr::TryWriteLock(l, into) => {
                let free = state.objects[*l] == Object::Rw { writer: 0, readers: 0 };
                if free {
                    state.objects[*l] = Object::Rw { writer: me, readers: 0 };
                }
                give(&mut state, *into, free as i64);
            }
            Instr::RwUnlock(l) => match state.objects[*l] {
                Object::Rw { writer, readers } if writer == me => {
                    state.objects[*l] = Object::Rw { writer: 0, readers }
                }
                Object::Rw { writer: 0, readers } if readers > 0 => {
                    state.objects[*l] = Object::Rw { writer: 0, readers: readers - 1 }
                }
                _ => fail!(),
            },
            Instr::Barrier(b, into) => {
                if state.threads[t].phase == Phase::Before {
                    let Object::Barrier { size, arrived } = state.objects[*b] else {
                        return Err("not a barrier".into());
                    };
                    give(&mut state, *into, (arrived + 1 == size) as i64);
                    if arrived + 1 == size {
                        state.objects[*b] = Object::Barrier { size, arrived: 0 };
                        for sleeper in self.sleepers(&state, *b) {
                            state.threads[sleeper].phase = Phase::Woken;
                        }
                        stay!(Phase::Woken);
                    }
                    state.objects[*b] = Object::Barrier { size, arrived: arrived + 1 };
                    stay!(Phase::Asleep);
                }
            }
            Instr::SemWait(s) => {
                let Object::Semaphore(n) = state.objects[*s] else {
                    return Err("not a semaphore".into());
                };
                state.objects[*s] = Object::Semaphore(n - 1);
            }
            Instr::SemTryWait(s, into) => {
                let Object::Semaphore(n) = state.objects[*s] else {
                    return Err("not a semaphore".into());
                };
                state.objects[*s] = Object::Semaphore(if n > 0 { n - 1 } else { n });
                give(&mut state, *into, (n > 0) as i64);
            }
            Instr::SemPost(s) => {
                let Object::Semaphore(n) = state.objects[*s] else {
                    return Err("not a semaphore".into());
                };
                state.objects[*s] = Object::Semaphore(n + 1);
            }
            Instr::SemValue(s, into) => {
                let Object::Semaphore(n) = state.objects[*s] else {
                    return Err("not a semaphore".into());
                };
                give(&mut state, *into, n);
            }
            Instr::Once { once, otherwise } => {
                if state.objects[*once] == Object::Once(0) {
                    state.objects[*once] = Object::Once(1);
                } else {
                    next = *otherwise;
                }
            }
            Instr::OnceDone(once) => state.objects[*once] = Object::Once(2),
            Instr::FutexWait { var, expected } => {
                let same = state.objects[*var] == Object::Variable(expected.value(&registers));
                if state.threads[t].phase == Phase::Before && same {
                    return Ok(Self::asleep_or_not(state, t));
                }
            }
            Instr::FutexWake { var, most } => {
                let sleepers = self.sleepers(&state, *var);
                if sleepers.len() as i64 > *most {
                    return Err("a futex wakes fewer than sleep: whom is not defined here".into());
                }
                for sleeper in sleepers {
                    state.threads[sleeper].phase = Phase::Woken;
                }
            }
            Instr::AtomicBegin => state.atomic = me,
            Instr::AtomicEnd => state.atomic = 0,
            Instr::Choose { register, from, to } => {
                for value in *from..=*to {
                    let mut one = state.clone();
                    one.threads[t].registers[*register] = value;
                    choices.push(one);
                }
            }
            Instr::Let(..)
            | Instr::Goto(_)
            | Instr::If(..)
            | Instr::Assert(_)
            | Instr::OnCancel(_)
            | Instr::Cancelable(_)
            | Instr::Consistent(_)
            | Instr::Round => {
                unreachable!("local")
            }
        }
        if choices.is_empty() {
            choices.push(state);
        }
        for state in &mut choices {
            self.look(before, state, t, instr);
            state.threads[t].phase = Phase::Before;
            state.threads[t].pc = next;
            self.settle(state, t)?;
        }
        Ok(choices)
    }

    /// A wait sleeps; where spurious wake-ups are allowed it may also be awake at once.
    fn asleep_or_not(mut state: State, t: usize) -> Vec<State> {
        let mut both = Vec::new();
        if state.spurious > 0 {
            let mut awake = state.clone();
            awake.spurious -= 1;
            awake.threads[t].phase = Phase::Woken;
            both.push(awake);
        }
        state.threads[t].phase = Phase::Asleep;
        both.push(state);
        both
    }

    /// The thread has ended; a robust mutex in its hands remembers that.
    fn leave(state: &mut State, t: usize) {
        state.threads[t].life = Life::Done;
        for object in &mut state.objects {
            if let Object::Mutex { owner, depth, robust, .. } = object
                && *owner == t + 1
                && *robust != Robust::No
            {
                (*owner, *depth, *robust) = (0, 0, Robust::OwnerDead);
            }
        }
    }
}
