//! What a model consists of.

use super::state::Object;

#[derive(Clone, Copy, Debug)]
pub(super) enum Term {
    Number(i64),
    Register(usize),
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub(super) left: Term,
    pub(super) right: Option<(String, Term)>,
}

impl Expr {
    pub(super) fn value(&self, registers: &[i64]) -> i64 {
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

pub(super) type Register = Option<usize>;

/// Objects (variables, locks, …) are numbered across kinds; each name has one kind only.
#[derive(Clone, Debug)]
pub(super) enum Instr {
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
    /// The register gets 1 in the thread that arrives last.
    Barrier(usize, Register),
    SemWait(usize),
    SemTryWait(usize, Register),
    SemPost(usize),
    SemValue(usize, Register),
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
    /// A loop's iteration begins: no step.
    Round,
    /// The end of an iteration that left no trace.
    Await,
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
pub(super) struct Program {
    pub(super) name: String,
    pub(super) code: Vec<Instr>,
    pub(super) registers: usize,
}

#[derive(Clone, Debug)]
pub struct Model {
    pub(super) programs: Vec<Program>,
    pub(super) objects: Vec<Object>,
    pub(super) spurious: i64,
}

impl Model {
    /// Does a thread wait by looking again and again?
    pub fn spins(&self) -> bool {
        let waits = |instr: &Instr| matches!(instr, Instr::Round | Instr::Await);
        self.programs.iter().any(|program| program.code.iter().any(waits))
    }
}
