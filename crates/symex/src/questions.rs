//! A value that may be any but its own: what `unpick.instead.N` gives, which others put into a program to ask what would
//! be if something else stood there. It is one unknown for all calls, and at none of them what the call was handed.
//! `unpick.each.N` gives another unknown at each call, which may be what was handed: the state keeps them.

use crate::end::Stop;
use crate::machine::Machine;
use crate::models::{Call, Effect, Row};
use crate::state::State;
use crate::value::Value;
use std::rc::Rc;
use unpick_smt::{Sort, Term};

/// What is known about one question.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    pub term: Term,
    /// What the first call was handed, where it is a constant.
    pub own: Option<u128>,
}

impl Machine {
    /// The question with this number in its name; `None`: nobody has come to it.
    pub fn question_of(&self, number: usize) -> Option<Asked> {
        let name = format!("unpick.instead.{number}");
        self.questions.get(&self.program.find(&name)?).copied()
    }
}

fn instead(
    machine: &mut Machine,
    state: &mut State,
    _: usize,
    call: &Call,
) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let own = call.argument(0);
    let asked = match machine.questions.get(&call.function) {
        Some(asked) => *asked,
        None => {
            let term = machine.terms.unknown(call.name, Sort::Bits(width));
            let own = own.as_known().map(u128::from);
            machine.questions.insert(call.function, Asked { term, own });
            Asked { term, own }
        }
    };
    if *own != Value::Undefined {
        let own = machine.term(own, width);
        let same = machine.terms.eq(asked.term, own);
        let differs = machine.terms.not(same);
        if machine.terms.as_truth(differs).is_none() {
            state.path.push(differs);
        }
    }
    Ok(Effect::Return(Value::Bits(asked.term)))
}

fn each(machine: &mut Machine, state: &mut State, _: usize, call: &Call) -> Result<Effect, Stop> {
    let width = machine.scalar_width(call.result);
    let own = call.argument(0).as_known().map(u128::from);
    let term = machine.terms.unknown(call.name, Sort::Bits(width));
    Rc::make_mut(&mut state.answers).push(Asked { term, own });
    Ok(Effect::Return(Value::Bits(term)))
}

pub const MODELS: &[Row] = &[(&["unpick.instead"], instead), (&["unpick.each"], each)];
