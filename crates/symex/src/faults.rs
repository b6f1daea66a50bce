//! Failures, with what and where in words.

use crate::access::How;
use crate::end::{End, Failure, FailureKind, Stop};
use crate::machine::Machine;
use crate::memory::{Object, ObjectKind, Slot};
use crate::names::{ObjectId, Site, Zone};
use crate::state::State;
use unpick_ir::{Action, Place};
use unpick_smt::Term;

impl Machine {
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
        state: &State,
        thread: usize,
        kind: FailureKind,
        message: impl Into<String>,
    ) -> Failure {
        let stack = self.stack(state, thread);
        Failure { kind, message: message.into(), place: self.place(state, thread), thread, stack }
    }

    /// Fails where `bad` may hold.
    pub fn check(
        &mut self,
        state: &State,
        thread: usize,
        bad: Term,
        kind: FailureKind,
        message: impl FnOnce() -> String,
    ) -> Result<(), Stop> {
        if !self.may_be_bad(state, bad) {
            return Ok(());
        }
        let failure = Box::new(self.failure(state, thread, kind, message()));
        Err(Stop::Check { bad, failure })
    }

    pub fn unsupported(&self, state: &State, thread: usize, what: impl Into<String>) -> Stop {
        Stop::from(End::Unsupported(what.into(), self.place(state, thread)))
    }

    /// Where the thread is.
    pub fn place(&self, state: &State, thread: usize) -> Place {
        let frames = state.threads[thread].frames.iter().rev();
        let mut places = frames.map(|frame| self.place_of(frame));
        places.find(|place| place.line != 0).unwrap_or_default()
    }

    fn place_of(&self, frame: &crate::state::Frame) -> Place {
        let function = self.program.function(frame.function);
        let block = &function.blocks[frame.block.0 as usize];
        block.instructions.get(frame.at).map_or(block.end, |instruction| instruction.place)
    }

    /// Innermost first.
    pub fn stack(&self, state: &State, thread: usize) -> Vec<(String, Place)> {
        let frames = state.threads[thread].frames.iter().rev();
        frames
            .map(|frame| {
                let function = self.program.function(frame.function);
                let name = function.pretty.as_ref().unwrap_or(&function.name);
                (name.clone(), self.place_of(frame))
            })
            .collect()
    }

    /// A place in the source, to be read.
    pub(crate) fn words_for(&self, place: Place) -> String {
        let file = self.program.files.get(place.file as usize).map_or("?", |file| file.as_str());
        let file = file.rsplit('/').next().unwrap_or(file);
        format!("{file}:{}", place.line)
    }

    /// "the variable `x`", "a heap block of 8 bytes (a.c:3)".
    pub fn describe(&self, state: &State, object: ObjectId) -> String {
        let name = self.names.name(object);
        let size = match state.memory.slot(object) {
            Slot::Live(object) => Some((object.size, object.place)),
            Slot::Freed(freed) => Some((freed.size, freed.allocated)),
            _ => None,
        };
        match name.map(|name| name.site) {
            Some(Site::Global(global)) => {
                format!("the variable `{}`", self.program.global(global).name)
            }
            Some(Site::Function(function)) => {
                format!("the function `{}`", self.program.function(function).name)
            }
            Some(Site::Instruction { function, block, at }) => {
                let block = self.program.function(function).blocks.get(block as usize);
                let instruction = block.and_then(|block| block.instructions.get(at as usize));
                if let Some(Action::Allocate { name, .. }) = instruction.map(|one| &one.action) {
                    return if name.is_empty() {
                        "a local variable".into()
                    } else {
                        format!("the variable `{name}`")
                    };
                }
                match size {
                    Some((size, place)) => {
                        format!("a heap block of {size} bytes ({})", self.words_for(place))
                    }
                    None => "a local variable".into(),
                }
            }
            Some(Site::Own(_)) | None => "an object of the C library".into(),
        }
    }

    /// Nothing lives at the address.
    pub(crate) fn no_object(
        &self,
        state: &State,
        thread: usize,
        address: u64,
        zone: Option<Zone>,
        how: How,
    ) -> Stop {
        let doing = doing(how);
        let slot = zone.map_or(&Slot::Absent, |zone| state.memory.slot(zone.object));
        let (kind, message) = match (zone, slot) {
            (Some(zone), Slot::Freed(freed)) => {
                let what = self.describe(state, zone.object);
                let message =
                    format!("{doing} {what}, which was freed at {}", self.words_for(freed.freed));
                (FailureKind::UseAfterFree, message)
            }
            (Some(zone), Slot::Returned) => {
                let what = self.describe(state, zone.object);
                let message = format!("{doing} {what}, which is out of scope");
                (FailureKind::UseAfterReturn, message)
            }
            _ if address < 4096 => (FailureKind::NullPointer, format!("{doing} the null pointer")),
            _ => (FailureKind::WildPointer, format!("{doing} 0x{address:x}, where nothing is")),
        };
        self.fail(state, thread, kind, message)
    }

    pub(crate) fn bad_access(
        &self,
        state: &State,
        thread: usize,
        object: &Object,
        offset: Option<i64>,
        size: u64,
        how: How,
    ) -> Stop {
        Stop::from(self.bad_access_failure(state, thread, object, offset, size, how))
    }

    pub(crate) fn bad_access_failure(
        &self,
        state: &State,
        thread: usize,
        object: &Object,
        offset: Option<i64>,
        size: u64,
        how: How,
    ) -> Failure {
        let what = self.describe(state, object.id);
        let doing = doing(how);
        if matches!(object.kind, ObjectKind::Function(_)) {
            return self.failure(
                state,
                thread,
                FailureKind::WildPointer,
                format!("{doing} {what}"),
            );
        }
        let inside = offset.is_some_and(|offset| {
            offset >= 0 && (offset as u64).saturating_add(size) <= object.size
        });
        if object.constant
            && how == How::Write
            && (inside || offset.is_none() && size <= object.size)
        {
            return self.failure(
                state,
                thread,
                FailureKind::ReadOnly,
                format!("{doing} {what}, which is constant"),
            );
        }
        let length = object.size;
        let message = match offset {
            Some(offset) => format!(
                "{doing} {size} bytes at offset {offset} of {what}, which has {length} bytes"
            ),
            None => format!("{doing} {size} bytes outside of {what}, which has {length} bytes"),
        };
        self.failure(state, thread, FailureKind::OutOfBounds, message)
    }
}

fn doing(how: How) -> &'static str {
    match how {
        How::Read => "reading",
        How::Write => "writing",
    }
}
