//! Functions without a body: one file a family, one table from names to models.

pub(crate) mod bytes;
mod copy;
mod format;
pub(crate) mod heap;
pub(crate) mod intrinsics;
mod math;
mod process;
mod stdio;
mod stdlib;
mod strings;
mod text;
mod tokens;
mod variadic;

use crate::end::Stop;
use crate::machine::Machine;
use crate::state::State;
use crate::value::Value;
use std::collections::HashMap;
use unpick_ir::{FunctionId, Place, Type};

/// What a model gets to know about its call.
pub struct Call<'a> {
    pub name: &'a str,
    pub function: FunctionId,
    pub arguments: &'a [Value],
    pub kinds: &'a [Type],
    pub result: &'a Type,
    pub place: Place,
}

impl Call<'_> {
    /// An argument; undefined where the caller gave none.
    pub fn argument(&self, at: usize) -> &Value {
        self.arguments.get(at).unwrap_or(&Value::Undefined)
    }
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

/// The names of functions, and the model of all of them.
pub type Row = (&'static [&'static str], Model);

/// A model, and how it is called.
#[derive(Clone, Copy)]
pub struct Modelled {
    pub model: Model,
    /// It changes nothing before it stops, except where it pauses: no copy of the state is needed.
    pub direct: bool,
    /// It does something to a stream, whose lock it takes for that.
    pub stream: bool,
}

/// All models by name.
pub struct Table {
    models: HashMap<&'static str, Modelled>,
}

impl Table {
    pub fn new() -> Table {
        let families: &[(&[Row], bool)] = &[
            (copy::MODELS, false),
            (heap::MODELS, false),
            (intrinsics::MODELS, false),
            (intrinsics::DIRECT, true),
            (math::MODELS, false),
            (process::MODELS, false),
            (stdio::MODELS, false),
            (stdlib::MODELS, false),
            (strings::MODELS, false),
            (text::MODELS, false),
            (tokens::MODELS, false),
            (variadic::MODELS, false),
            (crate::events::DIRECT, true),
            (crate::exceptions::MODELS, false),
            (crate::questions::MODELS, false),
        ];
        let sync = crate::sync::FAMILIES.iter().map(|family| (*family, false));
        let mut models = HashMap::new();
        for (family, direct) in families.iter().copied().chain(sync) {
            for (names, model) in family {
                for name in *names {
                    let stream = crate::events::STREAMS.contains(name);
                    models.insert(*name, Modelled { model: *model, direct, stream });
                }
            }
        }
        Table { models }
    }

    /// By its name; intrinsics also without the types at the end of theirs, questions without their numbers.
    pub fn find(&self, name: &str) -> Option<Modelled> {
        let mut name = name;
        loop {
            if let Some(model) = self.models.get(name) {
                return Some(*model);
            }
            if !name.starts_with("llvm.") && !name.starts_with("unpick.") {
                return None;
            }
            name = name.rsplit_once('.')?.0;
        }
    }
}
