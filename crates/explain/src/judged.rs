//! What the judge is asked: an execution in the judge's own form, and an alternate that somebody found.

use crate::execution::{Action, Execution, Path};
use crate::explain::Explanation;
use crate::expression::{Binary, Expression, Unary};
use unpick_judge::term::Operator;
use unpick_judge::{Act, Case, Fault, Figures, Schedule, Step, Term, Trace};

/// The same, as the judge has it.
pub fn case(execution: &Execution) -> Case {
    let threads = execution.paths.iter().zip(&execution.others);
    Case {
        threads: threads
            .map(|(failing, others)| std::iter::once(failing).chain(others).map(trace).collect())
            .collect(),
        initial: execution.initial.clone(),
        counts: execution.counts.clone(),
        failing: execution.failing.iter().map(|at| at.thread).collect(),
    }
}

fn trace(path: &Path) -> Trace {
    let steps = path.steps.iter().enumerate();
    Trace {
        steps: steps
            .map(|(number, step)| Step {
                identity: step.identity.clone(),
                act: act(&step.action, number),
            })
            .collect(),
        conditions: path.conditions.iter().map(term).collect(),
        assertion: path.assertion.as_ref().map(term),
        branches: path
            .branches
            .iter()
            .map(|branch| (format!("{} {}", branch.place, branch.ordinal), branch.taken))
            .collect(),
    }
}

fn act(action: &Action, number: usize) -> Act {
    match action {
        Action::Access { reads, writes } => Act::Access {
            reads: reads.clone(),
            writes: writes.iter().map(|(location, value)| (*location, term(value))).collect(),
        },
        Action::Fork(thread) => Act::Fork(*thread),
        Action::Join(thread) => Act::Join(*thread),
        Action::Lock(lock) => Act::Take { lock: *lock, shared: false },
        Action::ReadLock(lock) => Act::Take { lock: *lock, shared: true },
        Action::Unlock(lock) | Action::ReadUnlock(lock) => Act::Release { lock: *lock },
        Action::Woken { object, released } => Act::Woken {
            condition: *object,
            since: released.and_then(|back| number.checked_sub(back)),
        },
        Action::Signal(object) => Act::Signal { condition: *object, all: false },
        Action::Broadcast(object) => Act::Signal { condition: *object, all: true },
        Action::Arrive { object, parties } => Act::Arrive { barrier: *object, parties: *parties },
        Action::Leave(object) => Act::Leave { barrier: *object },
        Action::Post(object) => Act::Post(*object),
        Action::Take(object) => Act::Wait(*object),
        Action::Start | Action::Exit | Action::Branch | Action::Mark => Act::Local,
    }
}

fn term(expression: &Expression) -> Term {
    match expression {
        Expression::Constant(value) => Term::Number(*value),
        Expression::Read(read) => Term::Read(*read),
        Expression::Unary(operator, inner) => {
            let operator = match operator {
                Unary::Negate => Operator::Minus,
                Unary::Not => Operator::Not,
            };
            Term::Apply(operator, vec![term(inner)])
        }
        Expression::Binary(operator, left, right) => {
            Term::Apply(self::operator(*operator), vec![term(left), term(right)])
        }
        Expression::Wrap { bits, signed, value } => {
            Term::Word { bits: u32::from(*bits), signed: *signed, of: Box::new(term(value)) }
        }
    }
}

fn operator(operator: Binary) -> Operator {
    match operator {
        Binary::Add => Operator::Plus,
        Binary::Subtract => Operator::Difference,
        Binary::Multiply => Operator::Product,
        Binary::Divide => Operator::Quotient,
        Binary::Remainder => Operator::Remainder,
        Binary::Equal => Operator::Equal,
        Binary::Different => Operator::Unequal,
        Binary::Less => Operator::Less,
        Binary::AtMost => Operator::AtMost,
        Binary::And => Operator::And,
        Binary::Or => Operator::Or,
        Binary::BitAnd => Operator::BitAnd,
        Binary::BitOr => Operator::BitOr,
        Binary::BitXor => Operator::BitXor,
        Binary::ShiftLeft => Operator::Left,
        Binary::ShiftRight => Operator::Right,
    }
}

/// The same with no other paths than these: there may be very many.
fn case_along(execution: &Execution, paths: &[&Path]) -> Case {
    let threads = execution.paths.iter().zip(paths);
    Case {
        threads: threads.map(|(failing, path)| vec![trace(failing), trace(path)]).collect(),
        initial: execution.initial.clone(),
        counts: execution.counts.clone(),
        failing: execution.failing.iter().map(|at| at.thread).collect(),
    }
}

/// The judge's figures for an explanation's alternate.
pub fn figures(execution: &Execution, explanation: &Explanation) -> Result<Figures, Fault> {
    let known = |(thread, path): (usize, &&Path)| {
        **path == execution.paths[thread] || execution.others[thread].contains(path)
    };
    if !explanation.paths.iter().enumerate().all(known) {
        return Err(Fault::NoTrace);
    }
    let mut next = vec![0; explanation.paths.len()];
    for (at, (thread, step)) in explanation.alternate.iter().enumerate() {
        let expected = explanation.paths.get(*thread).and_then(|p| p.steps.get(next[*thread]));
        if !expected.is_some_and(|expected| std::ptr::eq(expected, *step)) {
            return Err(Fault::Order { at });
        }
        next[*thread] += 1;
    }
    let schedule = Schedule {
        traces: vec![1; explanation.paths.len()],
        order: explanation.alternate.iter().map(|(thread, _)| *thread).collect(),
    };
    unpick_judge::alternate(&case_along(execution, &explanation.paths), &schedule)
}

/// Whether the judge agrees with all that an explanation says; what it says instead.
pub fn agrees(execution: &Execution, explanation: &Explanation) -> Result<(), String> {
    unpick_judge::failing(&case_along(execution, &explanation.paths))
        .map_err(|fault| format!("the failing schedule: {fault}"))?;
    let judged = figures(execution, explanation)
        .map_err(|fault| format!("the alternate schedule: {fault}"))?;
    let said = Figures {
        flips: explanation.flips.len(),
        op: explanation.projection.operations.len(),
        df: explanation.cost.df,
        bs: explanation.cost.bs,
        ctx: explanation.cost.ctx,
    };
    match judged == said {
        true => Ok(()),
        false => Err(format!("counted {judged:?}, not {said:?}")),
    }
}
