//! From an address to an object: what can go wrong, and where a symbolic address may lead.

use crate::end::{End, Failure, FailureKind, Stop};
use crate::machine::Machine;
use crate::smt::Term;
use crate::state::State;
use crate::value::Value;
use unpick_ir::{FunctionId, Type};

impl Machine {
    /// Reads a value of type `kind` in the name of the program, with all checks; visibility is the caller's business.
    pub fn load(
        &mut self,
        _state: &mut State,
        _thread: usize,
        _address: &Value,
        _kind: &Type,
    ) -> Result<Value, Stop> {
        unimplemented!()
    }

    pub fn store(
        &mut self,
        _state: &mut State,
        _thread: usize,
        _address: &Value,
        _kind: &Type,
        _value: &Value,
    ) -> Result<(), Stop> {
        unimplemented!()
    }

    /// An address that must be one object's by now (of a lock, a thread's result): forks until it is a constant, and
    /// fails where `size` bytes there may not be touched.
    pub fn concrete_address(
        &mut self,
        _state: &mut State,
        _thread: usize,
        _address: &Value,
        _size: u64,
    ) -> Result<u64, Stop> {
        unimplemented!()
    }

    /// Forks until the value is a constant.
    pub fn concrete(
        &mut self,
        _state: &mut State,
        _thread: usize,
        _value: &Value,
    ) -> Result<u64, Stop> {
        unimplemented!()
    }

    /// Does the condition hold? Forks where it may and may not.
    pub fn decide(&mut self, _state: &mut State, _condition: Term) -> Result<bool, Stop> {
        unimplemented!()
    }

    /// A failure here and now.
    pub fn fail(
        &self,
        state: &State,
        thread: usize,
        kind: FailureKind,
        message: impl Into<String>,
    ) -> Stop {
        Stop::from(self.failure(state, thread, kind, message))
    }

    pub fn failure(
        &self,
        _state: &State,
        thread: usize,
        kind: FailureKind,
        message: impl Into<String>,
    ) -> Failure {
        Failure {
            kind,
            message: message.into(),
            place: Default::default(),
            thread,
            stack: Vec::new(),
        }
    }

    pub fn unsupported(&self, _state: &State, _thread: usize, what: impl Into<String>) -> Stop {
        Stop::from(End::Unsupported(what.into(), Default::default()))
    }

    /// A new thread that begins with `function`; gives its number. It is pending with `Operation::Begin`.
    pub fn new_thread(
        &mut self,
        _state: &mut State,
        _function: FunctionId,
        _arguments: Vec<Value>,
    ) -> usize {
        unimplemented!()
    }

    /// Which function is meant by a value; fails where it is none.
    pub fn function_at(
        &mut self,
        _state: &mut State,
        _thread: usize,
        _address: &Value,
    ) -> Result<FunctionId, Stop> {
        unimplemented!()
    }

    /// An unknown value of so many bits that came from outside: an input of the run.
    pub fn input(&mut self, _state: &mut State, _thread: usize, _width: u32, _what: &str) -> Value {
        unimplemented!()
    }

    /// Makes `thread` execute `function` next; its result goes to `stage.returned` of the frame below, if there is
    /// one.
    pub fn enter(
        &mut self,
        _state: &mut State,
        _thread: usize,
        _function: FunctionId,
        _arguments: Vec<Value>,
    ) -> Result<(), Stop> {
        unimplemented!()
    }
}
