//! Functions without a body: one file a family, one table from names to models.

use crate::end::Stop;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use std::collections::HashMap;
use unpick_ir::{FunctionId, Place, Type};

/// What a model gets to know about its call.
pub struct Call<'a> {
    pub name: &'a str,
    pub arguments: &'a [Value],
    pub kinds: &'a [Type],
    pub result: &'a Type,
    pub place: Place,
}

/// What a call comes to.
#[derive(Clone, Debug)]
pub enum Effect {
    /// It returns; with [`Value::Undefined`] where the function gives nothing.
    Return(Value),
    /// The thread first executes this function; then the model is called again, with the result in the frame's
    /// `stage`.
    Enter { function: FunctionId, arguments: Vec<Value> },
    /// Frames were changed by the model itself (`longjmp`, `pthread_exit`): nothing more to do here.
    Left,
}

/// The state that a model gets is a copy: with `Stop::Fork`, `Stop::Check` and `Stop::End` its changes are forgotten and
/// the call is made again. With `Stop::Pause` they stay; the model is called again when it is the thread's turn, and
/// finds in the frame's `stage` what it left there.
pub type Model = fn(&mut Machine, &mut State, usize, &Call) -> Result<Effect, Stop>;

/// All models by name.
pub fn table() -> HashMap<&'static str, Model> {
    let families: &[&[(&'static str, Model)]] = &[crate::sync::MODELS];
    families.iter().flat_map(|family| family.iter().copied()).collect()
}
