//! How many interleavings has a program? Counted by brute force, sharing nothing with the tool.
//!
//! A program is written as lists of steps (tests/README.md has the language). The oracle executes
//! all maximal sequences of steps and counts them: [`Model::count`]. States that were met before are
//! not counted again but looked up; [`Model::enumerate`] does without even that.
//!
//! A *step* is what the runtime takes for a scheduling point. What stands between two steps of a
//! thread (jumps, assertions, arithmetic) happens at once with the step before it.

use std::collections::{BTreeMap, HashMap};

pub type Result<T> = std::result::Result<T, String>;

/// How many maximal interleavings there are, and how many of them fail.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    pub total: u128,
    pub failing: u128,
}

impl std::ops::AddAssign for Count {
    fn add_assign(&mut self, other: Count) {
        self.total += other.total;
        self.failing += other.failing;
    }
}

#[derive(Clone, Copy, Debug)]
enum Term {
    Number(i64),
    Register(usize),
}

#[derive(Clone, Debug)]
struct Expr {
    left: Term,
    right: Option<(String, Term)>,
}

impl Expr {
    fn value(&self, registers: &[i64]) -> i64 {
        let term = |t: &Term| match *t {
            Term::Number(n) => n,
            Term::Register(r) => registers[r],
        };
        let a = term(&self.left);
        let Some((op, right)) = &self.right else { return a };
        let b = term(right);
        match op.as_str() {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "==" => (a == b) as i64,
            "!=" => (a != b) as i64,
            "<" => (a < b) as i64,
            ">" => (a > b) as i64,
            "<=" => (a <= b) as i64,
            ">=" => (a >= b) as i64,
            _ => unreachable!("checked when read"),
        }
    }
}

type Register = Option<usize>;

/// Objects (variables, locks, …) are numbered across kinds; each name has one kind only.
#[derive(Clone, Debug)]
enum Instr {
    // Steps.
    Create(usize),
    Join(usize),
    Nop, // a step without any effect here: yield, fence
    Sleep,
    Exit,
    /// `exit()`: the program ends here.
    End,
    Read(usize, Register),
    Write(usize, Expr),
    /// Adds (or sets), and gives the old value.
    Rmw {
        var: usize,
        add: bool,
        value: Expr,
        old: Register,
    },
    Cas {
        var: usize,
        expected: Expr,
        new: Expr,
        ok: Register,
    },
    /// For a robust mutex the register gets 1 where its owner ended, 2 where it cannot be used any more.
    Lock(usize, Register),
    /// A robust mutex is made consistent: no step.
    Consistent(usize),
    TryLock(usize, Register),
    Unlock(usize),
    Wait {
        cond: usize,
        mutex: usize,
        /// Some: it may time out, and the register (if any) tells.
        timed: Option<Register>,
    },
    Signal(usize),
    Broadcast(usize),
    ReadLock(usize),
    WriteLock(usize),
    TryReadLock(usize, Register),
    TryWriteLock(usize, Register),
    RwUnlock(usize),
    Barrier(usize),
    SemWait(usize),
    SemTryWait(usize, Register),
    SemPost(usize),
    /// Goes on behind `otherwise` where the routine is not this thread's to run.
    Once {
        once: usize,
        otherwise: usize,
    },
    OnceDone(usize),
    FutexWait {
        var: usize,
        expected: Expr,
    },
    FutexWake {
        var: usize,
        most: i64,
    },
    AtomicBegin,
    AtomicEnd,
    TryJoin(usize, Register),
    Cancel(usize),
    TestCancel,
    /// Where a cancelled thread goes on: no step.
    OnCancel(usize),
    /// May it be cancelled? No step.
    Cancelable(bool),
    Choose {
        register: usize,
        from: i64,
        to: i64,
    },
    // Local: no steps.
    Let(usize, Expr),
    Goto(usize),
    If(Expr, usize),
    Assert(Expr),
}

#[derive(Clone, Debug)]
struct Program {
    name: String,
    code: Vec<Instr>,
    registers: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Object {
    Variable(i64),
    /// `owner` is a thread + 1.
    Mutex {
        recursive: bool,
        owner: usize,
        depth: u32,
        robust: Robust,
    },
    Condition,
    Rw {
        writer: usize,
        readers: u32,
    },
    Barrier {
        size: u32,
        arrived: u32,
    },
    Semaphore(i64),
    /// 0: not yet; 1: running; 2: done.
    Once(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Robust {
    No,
    Sound,
    OwnerDead,
    Inconsistent,
    Lost,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Life {
    Unborn,
    /// Created; its next step is `start`.
    Ready,
    Alive,
    Done,
}

/// Where a thread stands within an operation of several steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Phase {
    Before,
    Asleep,
    Woken,
    TimedOut,
    /// Woken by `cancel`.
    Cancelled,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Thread {
    life: Life,
    phase: Phase,
    pc: usize,
    registers: Vec<i64>,
    /// Asked to end; may not be cancelled (now, or any more); where its handlers are.
    cancel: bool,
    uncancelable: bool,
    handlers: Option<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    threads: Vec<Thread>,
    objects: Vec<Object>,
    /// The thread + 1 that is inside an atomic section.
    atomic: usize,
    /// How many waits may still return without a reason.
    spurious: i64,
    ended: Option<End>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum End {
    Passed,
    Failed,
}

#[derive(Clone, Debug)]
pub struct Model {
    programs: Vec<Program>,
    objects: Vec<Object>,
    spurious: i64,
}

/// Reading models.
struct Reader {
    threads: HashMap<String, usize>,
    names: HashMap<String, usize>,
    objects: Vec<Object>,
    spurious: i64,
}

impl Reader {
    fn object(&mut self, name: &str, fresh: Object) -> Result<usize> {
        if let Some(&index) = self.names.get(name) {
            if std::mem::discriminant(&self.objects[index]) != std::mem::discriminant(&fresh) {
                return Err(format!(
                    "`{name}` is used as {fresh:?} and as {:?}",
                    self.objects[index]
                ));
            }
            return Ok(index);
        }
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(format!("`{name}` is no name"));
        }
        self.objects.push(fresh);
        self.names.insert(name.to_string(), self.objects.len() - 1);
        Ok(self.objects.len() - 1)
    }
    fn variable(&mut self, name: &str) -> Result<usize> {
        self.object(name, Object::Variable(0))
    }
    fn mutex(&mut self, name: &str) -> Result<usize> {
        self.object(
            name,
            Object::Mutex { recursive: false, owner: 0, depth: 0, robust: Robust::No },
        )
    }
    fn condition(&mut self, name: &str) -> Result<usize> {
        self.object(name, Object::Condition)
    }
    fn rw(&mut self, name: &str) -> Result<usize> {
        self.object(name, Object::Rw { writer: 0, readers: 0 })
    }
    /// Barriers and semaphores have a number, so they must be declared.
    fn declared(&self, name: &str) -> Result<usize> {
        self.names.get(name).copied().ok_or(format!("`{name}` is not among `objects`"))
    }

    fn declare(&mut self, text: &str) -> Result<()> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |i: usize| -> Result<i64> {
            words[i].parse().map_err(|_| format!("`{}` is no number", words[i]))
        };
        match words.as_slice() {
            ["var", name, _] => self.object(name, Object::Variable(number(2)?)),
            ["recursive", name] => self.object(
                name,
                Object::Mutex { recursive: true, owner: 0, depth: 0, robust: Robust::No },
            ),
            ["robust", name] => self.object(
                name,
                Object::Mutex { recursive: false, owner: 0, depth: 0, robust: Robust::Sound },
            ),
            ["spurious", _] => {
                self.spurious = number(1)?;
                return Ok(());
            }
            ["barrier", name, _] => {
                self.object(name, Object::Barrier { size: number(2)? as u32, arrived: 0 })
            }
            ["sem", name, _] => self.object(name, Object::Semaphore(number(2)?)),
            _ => return Err(format!("not a declaration: `{text}`")),
        }
        .map(|_| ())
    }
}

fn register(names: &mut Vec<String>, name: &str) -> Result<usize> {
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(format!("`{name}` is no register"));
    }
    if let Some(index) = names.iter().position(|n| n == name) {
        return Ok(index);
    }
    names.push(name.to_string());
    Ok(names.len() - 1)
}

fn term(names: &mut Vec<String>, word: &str) -> Result<Term> {
    match word.parse() {
        Ok(number) => Ok(Term::Number(number)),
        Err(_) => Ok(Term::Register(register(names, word)?)),
    }
}

fn expression(names: &mut Vec<String>, words: &[&str]) -> Result<Expr> {
    match words {
        [a] => Ok(Expr { left: term(names, a)?, right: None }),
        [a, op @ ("+" | "-" | "*" | "==" | "!=" | "<" | ">" | "<=" | ">="), b] => {
            Ok(Expr { left: term(names, a)?, right: Some((op.to_string(), term(names, b)?)) })
        }
        _ => Err(format!("not an expression: `{}`", words.join(" "))),
    }
}

impl Model {
    /// `main` is the first thread; `objects` holds declarations; every other key is a thread.
    pub fn read(text: &BTreeMap<String, Vec<String>>) -> Result<Model> {
        let mut order = vec!["main".to_string()];
        order.extend(text.keys().filter(|k| *k != "main" && *k != "objects").cloned());
        let mut reader = Reader {
            threads: order.iter().cloned().enumerate().map(|(i, name)| (name, i)).collect(),
            names: HashMap::new(),
            objects: Vec::new(),
            spurious: 0,
        };
        for declaration in text.get("objects").into_iter().flatten() {
            reader.declare(declaration)?;
        }
        let mut programs = Vec::new();
        for name in &order {
            let lines = text.get(name).ok_or("a model needs `main`")?;
            let program = Self::program(&mut reader, name, lines)
                .map_err(|e| format!("thread `{name}`: {e}"))?;
            programs.push(program);
        }
        for (index, name) in order.iter().enumerate().skip(1) {
            let creates = programs
                .iter()
                .flat_map(|p| &p.code)
                .any(|i| matches!(i, Instr::Create(t) if *t == index));
            if !creates {
                return Err(format!("nobody creates thread `{name}`"));
            }
        }
        Ok(Model { programs, objects: reader.objects, spurious: reader.spurious })
    }

    fn program(reader: &mut Reader, name: &str, lines: &[String]) -> Result<Program> {
        let mut labels: HashMap<&str, usize> = HashMap::new();
        let mut steps: Vec<&str> = Vec::new();
        for line in lines {
            match line.strip_suffix(':') {
                Some(label) => {
                    labels.insert(label, steps.len());
                }
                None => steps.push(line),
            }
        }
        let mut registers = Vec::new();
        let mut code = Vec::new();
        for (at, line) in steps.iter().enumerate() {
            let instr = Self::instr(reader, &labels, &mut registers, &steps, at)
                .map_err(|e| format!("`{line}`: {e}"))?;
            code.push(instr);
        }
        Ok(Program { name: name.to_string(), code, registers: registers.len() })
    }

    fn instr(
        reader: &mut Reader,
        labels: &HashMap<&str, usize>,
        registers: &mut Vec<String>,
        steps: &[&str],
        at: usize,
    ) -> Result<Instr> {
        let mut words: Vec<&str> = steps[at].split_whitespace().collect();
        let mut into: Register = None;
        if let Some(arrow) = words.iter().position(|w| *w == "->") {
            if arrow + 2 != words.len() {
                return Err("`->` wants one register behind it, at the end".into());
            }
            into = Some(register(registers, words[arrow + 1])?);
            words.truncate(arrow);
        }
        let gives = matches!(
            words[0],
            "r" | "rmw"
                | "cas"
                | "trylock"
                | "tryrdlock"
                | "trywrlock"
                | "semtrywait"
                | "timedwait"
                | "tryjoin"
                | "lock"
        );
        if into.is_some() && !gives {
            return Err("this gives no value".into());
        }
        let thread = |name: &str| -> Result<usize> {
            reader.threads.get(name).copied().ok_or(format!("no thread `{name}`"))
        };
        let label = |name: &str| labels.get(name).copied().ok_or(format!("no label `{name}`"));
        let number = |word: &str| word.parse::<i64>().map_err(|_| format!("`{word}` is no number"));
        Ok(match words.as_slice() {
            ["create", t] => Instr::Create(thread(t)?),
            ["join", t] => Instr::Join(thread(t)?),
            ["tryjoin", t] => Instr::TryJoin(thread(t)?, into),
            ["cancel", t] => Instr::Cancel(thread(t)?),
            ["testcancel"] => Instr::TestCancel,
            ["oncancel", l] => Instr::OnCancel(label(l)?),
            ["cancelable"] => Instr::Cancelable(true),
            ["uncancelable"] => Instr::Cancelable(false),
            ["consistent", m] => Instr::Consistent(reader.mutex(m)?),
            ["detach", t] => {
                thread(t)?;
                Instr::Goto(at + 1) // no step
            }
            ["yield"] | ["fence"] => Instr::Nop,
            ["sleep"] => Instr::Sleep,
            ["exit"] => Instr::Exit,
            ["end"] => Instr::End,
            ["r", x] => Instr::Read(reader.variable(x)?, into),
            ["w", x] => Instr::Write(reader.variable(x)?, expression(registers, &["0"])?),
            ["w", x, "<-", e @ ..] => Instr::Write(reader.variable(x)?, expression(registers, e)?),
            ["rmw", x] => Instr::Rmw {
                var: reader.variable(x)?,
                add: true,
                value: expression(registers, &["1"])?,
                old: into,
            },
            ["rmw", x, how @ ("+=" | "<-"), e @ ..] => Instr::Rmw {
                var: reader.variable(x)?,
                add: *how == "+=",
                value: expression(registers, e)?,
                old: into,
            },
            ["cas", x, expected, new] => Instr::Cas {
                var: reader.variable(x)?,
                expected: expression(registers, &[expected])?,
                new: expression(registers, &[new])?,
                ok: into,
            },
            ["lock", m] => Instr::Lock(reader.mutex(m)?, into),
            ["trylock", m] => Instr::TryLock(reader.mutex(m)?, into),
            ["unlock", m] => Instr::Unlock(reader.mutex(m)?),
            ["wait", c, m] => {
                Instr::Wait { cond: reader.condition(c)?, mutex: reader.mutex(m)?, timed: None }
            }
            ["timedwait", c, m] => Instr::Wait {
                cond: reader.condition(c)?,
                mutex: reader.mutex(m)?,
                timed: Some(into),
            },
            ["signal", c] => Instr::Signal(reader.condition(c)?),
            ["broadcast", c] => Instr::Broadcast(reader.condition(c)?),
            ["rdlock", l] => Instr::ReadLock(reader.rw(l)?),
            ["wrlock", l] => Instr::WriteLock(reader.rw(l)?),
            ["tryrdlock", l] => Instr::TryReadLock(reader.rw(l)?, into),
            ["trywrlock", l] => Instr::TryWriteLock(reader.rw(l)?, into),
            ["rwunlock", l] => Instr::RwUnlock(reader.rw(l)?),
            ["barrier", b] => Instr::Barrier(reader.declared(b)?),
            ["semwait", s] => Instr::SemWait(reader.declared(s)?),
            ["semtrywait", s] => Instr::SemTryWait(reader.declared(s)?, into),
            ["sempost", s] => Instr::SemPost(reader.declared(s)?),
            ["once", o] => {
                let done = format!("oncedone {o}");
                let otherwise = (at..steps.len())
                    .find(|&i| steps[i] == done)
                    .ok_or(format!("no `{done}` behind it"))?;
                Instr::Once { once: reader.object(o, Object::Once(0))?, otherwise: otherwise + 1 }
            }
            ["oncedone", o] => Instr::OnceDone(reader.object(o, Object::Once(0))?),
            ["futexwait", x, e] => Instr::FutexWait {
                var: reader.variable(x)?,
                expected: expression(registers, &[e])?,
            },
            ["futexwake", x, n] => Instr::FutexWake { var: reader.variable(x)?, most: number(n)? },
            ["atomic", "begin"] => Instr::AtomicBegin,
            ["atomic", "end"] => Instr::AtomicEnd,
            ["choose", a, from, to] => Instr::Choose {
                register: register(registers, a)?,
                from: number(from)?,
                to: number(to)?,
            },
            ["let", a, "=", e @ ..] => {
                let value = expression(registers, e)?;
                Instr::Let(register(registers, a)?, value)
            }
            ["goto", l] => Instr::Goto(label(l)?),
            ["if", e @ .., "goto", l] => Instr::If(expression(registers, e)?, label(l)?),
            ["assert", e @ ..] => Instr::Assert(expression(registers, e)?),
            ["fail"] => Instr::Assert(expression(registers, &["0"])?),
            _ => return Err("not a step".into()),
        })
    }

    fn start(&self) -> Result<State> {
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
    fn sleepers(&self, state: &State, object: usize) -> Vec<usize> {
        (0..state.threads.len())
            .filter(|&t| {
                let thread = &state.threads[t];
                thread.life == Life::Alive
                    && thread.phase == Phase::Asleep
                    && match self.programs[t].code.get(thread.pc) {
                        Some(Instr::Wait { cond, .. }) => *cond == object,
                        Some(Instr::Barrier(barrier)) => *barrier == object,
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

    fn enabled(&self, state: &State, t: usize) -> bool {
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
            Instr::Barrier(_) | Instr::FutexWait { .. } => thread.phase != Phase::Asleep,
            Instr::SemWait(s) => matches!(state.objects[s], Object::Semaphore(n) if n > 0),
            Instr::Once { once, .. } => !matches!(state.objects[once], Object::Once(1)),
            _ => true,
        }
    }

    /// The states after `t`'s next step: more than one where the step itself is a choice.
    fn step(&self, before: &State, t: usize) -> Result<Vec<State>> {
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
            Instr::Barrier(b) => {
                if state.threads[t].phase == Phase::Before {
                    let Object::Barrier { size, arrived } = state.objects[*b] else {
                        return Err("not a barrier".into());
                    };
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
            | Instr::Consistent(_) => {
                unreachable!("local")
            }
        }
        if choices.is_empty() {
            choices.push(state);
        }
        for state in &mut choices {
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

    fn over(&self, state: &State, enabled: &[usize]) -> Option<Count> {
        let end = match state.ended {
            Some(end) => end,
            None if !enabled.is_empty() => return None,
            None if state.threads.iter().all(|t| matches!(t.life, Life::Done | Life::Unborn)) => {
                End::Passed
            }
            None => End::Failed, // a deadlock
        };
        Some(Count { total: 1, failing: (end == End::Failed) as u128 })
    }

    fn all_enabled(&self, state: &State) -> Vec<usize> {
        (0..state.threads.len()).filter(|&t| self.enabled(state, t)).collect()
    }

    /// All maximal interleavings.
    pub fn count(&self) -> Result<Count> {
        self.count_from(&self.start()?, &mut HashMap::new())
    }

    fn count_from(
        &self,
        state: &State,
        known: &mut HashMap<State, Option<Count>>,
    ) -> Result<Count> {
        match known.get(state) {
            Some(Some(count)) => return Ok(*count),
            Some(None) => return Err("endless: a state comes again".into()),
            None => {}
        }
        let enabled = self.all_enabled(state);
        if let Some(count) = self.over(state, &enabled) {
            return Ok(count);
        }
        known.insert(state.clone(), None);
        let mut sum = Count::default();
        for t in enabled {
            for next in self.step(state, t)? {
                sum += self.count_from(&next, known)?;
            }
        }
        known.insert(state.clone(), Some(sum));
        Ok(sum)
    }

    /// Those with at most `bound` preemptions: switches away from a thread that could have gone on.
    pub fn count_bounded(&self, bound: u32) -> Result<Count> {
        self.bounded_from(&self.start()?, 0, bound, &mut HashMap::new())
    }

    fn bounded_from(
        &self,
        state: &State,
        last: usize,
        left: u32,
        known: &mut HashMap<(State, usize, u32), Count>,
    ) -> Result<Count> {
        let key = (state.clone(), last, left);
        if let Some(count) = known.get(&key) {
            return Ok(*count);
        }
        let enabled = self.all_enabled(state);
        if let Some(count) = self.over(state, &enabled) {
            return Ok(count);
        }
        let mut sum = Count::default();
        for &t in &enabled {
            let preempts = (t != last && enabled.contains(&last)) as u32;
            if preempts <= left {
                for next in self.step(state, t)? {
                    sum += self.bounded_from(&next, t, left - preempts, known)?;
                }
            }
        }
        known.insert(key, sum);
        Ok(sum)
    }

    /// As [`Model::count`], one interleaving after the other.
    pub fn enumerate(&self) -> Result<Count> {
        let mut sum = Count::default();
        let mut stack = vec![self.start()?];
        while let Some(state) = stack.pop() {
            let enabled = self.all_enabled(&state);
            match self.over(&state, &enabled) {
                Some(one) => sum += one,
                None => {
                    for t in enabled {
                        stack.extend(self.step(&state, t)?);
                    }
                }
            }
        }
        Ok(sum)
    }
}

pub type Test = fn() -> Result<()>;

/// What is known by other means: closed forms and cases done by hand. Called by the harness, since
/// this file is no test target of its own.
pub fn self_tests() -> Vec<(&'static str, Test)> {
    vec![
        ("two threads interleave as binomials", binomials),
        ("three threads interleave as multinomials", multinomial),
        ("locked regions are atomic", locked),
        ("a lost update, counted by hand", lost_update),
        ("abba deadlocks, counted by hand", abba),
        ("a signal picks its waiter", signal_choice),
        ("a barrier orders", barrier),
        ("main cuts off the others", cut_off),
        ("preemption bounds", bounds),
        ("looking up and enumerating agree", agree),
        ("nonsense is refused", refused),
    ]
}

fn model(threads: &[(&str, &[&str])]) -> Result<Model> {
    Model::read(
        &threads
            .iter()
            .map(|(name, steps)| (name.to_string(), steps.iter().map(|s| s.to_string()).collect()))
            .collect(),
    )
}

fn expect(what: &str, got: Count, total: u128, failing: u128) -> Result<()> {
    if got == (Count { total, failing }) {
        return Ok(());
    }
    Err(format!("{what}: {got:?}, not {total} with {failing} failing"))
}

fn factorial(n: u128) -> u128 {
    (1..=n).product()
}

/// Main creates two threads in an atomic section, so that nothing runs in between, and joins them in
/// the order that adds no choice: it waits on a semaphore that each posts as its last step but exit.
fn binomials() -> Result<()> {
    for n in 0..5u128 {
        for m in 0..5u128 {
            let one = vec!["r x"; n as usize];
            let two = vec!["r x"; m as usize];
            let main = ["atomic begin", "create 1", "create 2", "atomic end", "exit"];
            let got = model(&[("main", &main), ("1", &one), ("2", &two)])?.count()?;
            // start and exit are steps of each; main's exit is one of a third "thread".
            let (a, b) = (n + 2, m + 2);
            let all = factorial(a + b + 1) / factorial(a) / factorial(b);
            expect(&format!("{n} and {m} steps"), got, all, 0)?;
        }
    }
    Ok(())
}

fn multinomial() -> Result<()> {
    let main = ["atomic begin", "create 1", "create 2", "create 3", "atomic end", "exit"];
    let steps = ["r x"];
    let got = model(&[("main", &main), ("1", &steps), ("2", &steps), ("3", &steps)])?.count()?;
    expect("three times three steps", got, factorial(10) / 6 / 6 / 6, 0)
}

fn locked() -> Result<()> {
    // Inside the region only the other's start can interleave: count the places by hand.
    // Thread: s L r w U e. Orders in which the regions do not overlap, main already gone.
    let main = ["atomic begin", "create 1", "create 2", "atomic end", "exit"];
    let body = ["lock m", "r x", "w x", "unlock m"];
    let got = model(&[("main", &main), ("1", &body), ("2", &body)])?.count()?;
    // First thread's region before the second's: the second's start `s` falls among the first's six
    // steps; its L U e come after the first's U; the first's e falls among them.
    // Second's six: s L r w U e; first's s L r w U then e. Second's s: 6 places before the first's U
    // is passed (0..=5 of the first's s L r w U executed), or after it.
    // s among first's [s L r w U]: places 0..=5. Then [L r w U e] and first's e interleave: with s
    // before U (places 0..=4), e goes to any of 6 places; with s after U (place 5), e goes to any of
    // 7 places among [s L r w U e]. In all 5*6 + 7 = 37 for one order, twice. Main's exit is one more
    // step anywhere among the 12.
    expect("locked", got, 2 * 37 * 13, 0)
}

fn lost_update() -> Result<()> {
    // The two threads' r w r w: 6 orders, of which 2 (one after the other) keep both updates.
    let main = [
        "atomic begin",
        "create 1",
        "create 2",
        "atomic end",
        "semwait go",
        "semwait go",
        "r x -> a",
        "assert a == 2",
    ];
    let thread = ["r x -> a", "w x <- a + 1", "sempost go"];
    let got =
        model(&[("objects", &["sem go 0"]), ("main", &main), ("1", &thread), ("2", &thread)])?
            .count()?;
    if got.failing == 0 || got.failing == got.total {
        return Err(format!("{got:?}"));
    }
    // Without start, exit and main's waiting in between: everything in one atomic step but r and w.
    let main = [
        "atomic begin",
        "create 1",
        "create 2",
        "atomic end",
        "join 1",
        "join 2",
        "r x -> a",
        "assert a == 2",
    ];
    let thread = ["r x -> a", "w x <- a + 1"];
    let got = model(&[("main", &main), ("1", &thread), ("2", &thread)])?.count()?;
    // s r w e of both: 70 orders; join 1 is enabled once 1 is done, and so may come before what 2
    // still does: for k steps of 2 left when 1 exits, join 1 has k + 1 places. Sum over k = 0..=4 of
    // C(3 + 4 - k, 3) * (k + 1) = 35*1 + 20*2 + 10*3 + 4*4 + 1*5 = 126.
    if got.total != 126 {
        return Err(format!("{got:?}, not 126"));
    }
    // Passing: the two's r w do not overlap. 1 first: 2's r comes after 1's w: 2's s at place 0..=3
    // of 1's s r w. s at 0..=2: then [r w e] of 2 with 1's e: e then join 1 in order among 3: pairs of
    // places i <= j of 4: 10. Three times 10 = 30. s after w: [s r w e] with e, join: 15. In all 45.
    // 2 first: 1's r comes after 2's w: 1's s at place 0..=2 of 2's s r w: then [r w e] of 1 with 2's
    // e, join 1 after 1's e: 2's e before 1's r, w, e (3 places) or after 1's e: before or after join 1
    // (2 more): 5. Three times 5 = 15. 1's s after 2's w: [s r w e] with 2's e: 4 + 2 = 6. In all 21.
    expect("lost update", got, 126, 126 - 45 - 21)
}

fn abba() -> Result<()> {
    // Regions of two locks; after the start, the deadlock is: both have taken their first lock.
    let main = ["atomic begin", "create 1", "create 2", "atomic end", "join 1", "join 2"];
    let got = model(&[
        ("main", &main),
        ("1", &["lock a", "lock b", "unlock b", "unlock a"]),
        ("2", &["lock b", "lock a", "unlock a", "unlock b"]),
    ])?
    .count()?;
    // Deadlocks: s1 L1 and s2 L2 in any order, nothing else: C(4, 2) = 6.
    if got.failing != 6 {
        return Err(format!("{got:?}: not 6 deadlocks"));
    }
    Ok(())
}

fn signal_choice() -> Result<()> {
    // Two sleep, one is woken, in a program where nothing else can vary: main sees both asleep.
    let main = [
        "atomic begin",
        "create 1",
        "create 2",
        "atomic end",
        "semwait s",
        "semwait s",
        "lock m",
        "signal c",
        "unlock m",
        "semwait t",
        "r who -> a",
    ];
    let one = ["lock m", "sempost s", "wait c m", "w who <- 1", "unlock m", "sempost t"];
    let two = ["lock m", "sempost s", "wait c m", "w who <- 2", "unlock m", "sempost t"];
    let count = |last: &'static str| -> Result<Count> {
        let main: Vec<&str> = main.iter().copied().chain([last]).collect();
        model(&[("objects", &["sem s 0", "sem t 0"]), ("main", &main), ("1", &one), ("2", &two)])?
            .count()
    };
    // Symmetric: as many fail by finding 1 as by finding 2, and somebody is always found.
    let (first, second) = (count("assert a != 1")?, count("assert a != 2")?);
    expect("signal", first, second.total, second.failing)?;
    if first.failing == 0 { Err("nobody was woken".into()) } else { Ok(()) }
}

fn barrier() -> Result<()> {
    let main = ["atomic begin", "create 1", "create 2", "atomic end", "exit"];
    let got = model(&[
        ("objects", &["barrier b 2"]),
        ("main", &main),
        ("1", &["barrier b"]),
        ("2", &["barrier b"]),
    ])?
    .count()?;
    // s a | l e of each, both a's before both l's: C(4, 2) * C(4, 2); main's exit at 9 places.
    expect("barrier", got, 36 * 9, 0)
}

fn cut_off() -> Result<()> {
    // Main yields and ends; j of the other's s r e come before that, the yield at j + 1 places among them.
    let got = model(&[("main", &["create 1", "yield"]), ("1", &["r x"])])?.count()?;
    expect("cut off", got, 1 + 2 + 3 + 4, 0)
}

fn bounds() -> Result<()> {
    let lost = model(&[
        ("main", &["create 1", "create 2", "join 1", "join 2", "r x -> a", "assert a == 2"]),
        ("1", &["r x -> a", "w x <- a + 1"]),
        ("2", &["r x -> a", "w x <- a + 1"]),
    ])?;
    // No preemption: main creates both and blocks; then 1 or 2; after 1 is done, main or 2: where
    // main joins 1 first, 2 is all that is left. 1 first: {join 1, 2} or {2, join 1}; 2 first: 1, then main.
    expect("bound 0", lost.count_bounded(0)?, 3, 0)?;
    let mut last = 0;
    for bound in 0..12 {
        let count = lost.count_bounded(bound)?;
        if count.total < last {
            return Err("a larger bound has fewer interleavings".into());
        }
        last = count.total;
    }
    if last != lost.count()?.total {
        return Err(format!("a large bound gives {last}, none {:?}", lost.count()?));
    }
    if lost.count_bounded(1)?.failing == 0 {
        return Err("one preemption suffices to lose an update".into());
    }
    Ok(())
}

fn agree() -> Result<()> {
    let m = model(&[
        ("objects", &["sem s 1", "var go 0"]),
        ("main", &["create 1", "create 2", "join 1", "join 2", "r x -> a", "assert a == 2"]),
        (
            "1",
            &["lock m", "r go -> g", "if g == 1 goto on", "wait c m", "on:", "unlock m", "rmw x"],
        ),
        ("2", &["lock m", "w go <- 1", "signal c", "unlock m", "semwait s", "rmw x", "sempost s"]),
    ])?;
    let (fast, slow) = (m.count()?, m.enumerate()?);
    expect("enumerated", slow, fast.total, fast.failing)
}

fn refused() -> Result<()> {
    let bad: [&[(&str, &[&str])]; 6] = [
        &[("1", &["r x"])],
        &[("main", &["r x"]), ("1", &["r x"])],
        &[("main", &["create 1"])],
        &[("main", &["lock x", "r x"])],
        &[("main", &["semwait s"])],
        &[("main", &["jump"])],
    ];
    for text in bad {
        if model(text).is_ok() {
            return Err(format!("accepted: {text:?}"));
        }
    }
    let endless = model(&[("main", &["create 1", "l:", "yield", "goto l"]), ("1", &[])])?;
    if endless.count().is_ok() {
        return Err("an endless program was counted".into());
    }
    Ok(())
}
