//! Where things are: sizes of types, and memory as the program finds it at its start.

use crate::end::{End, Stop};
use crate::machine::Machine;
use crate::memory::{Object, ObjectKind};
use crate::names::{LARGEST, Name, ObjectId, Site};
use crate::state::{Input, State};
use crate::value::Value;
use std::rc::Rc;
use unpick_ir::{Constant, FunctionId, GlobalId, Place, Type};
use unpick_smt::{Sort, Term};

/// `argv`, with the program's name in it.
const ARGUMENTS: u32 = 1;
const PROGRAM_NAME: u32 = 2;
/// The standard streams, by the number of their variable.
const STREAMS: u32 = 1 << 31;
/// Thread-local variables are objects of the thread's own from here on.
pub const THREAD_LOCAL: u32 = 1 << 16;

impl Machine {
    /// Bits of an integer, float or pointer.
    pub fn scalar_width(&self, kind: &Type) -> u32 {
        match kind {
            Type::Bits(width) => *width,
            Type::Float(float) => float.width(),
            Type::Pointer => self.pointer_width(),
            Type::Void | Type::Aggregate(_) => 0,
        }
    }

    /// Bytes that a load or store touches.
    pub fn size_of(&self, kind: &Type) -> u64 {
        match kind {
            Type::Aggregate(layout) => layout.size,
            _ => self.scalar_width(kind).div_ceil(8) as u64,
        }
    }

    pub fn pointer(&self, address: u64) -> Value {
        Value::known(self.pointer_width(), address)
    }

    /// A new object of `thread`, at the next number of its site.
    pub fn make_object(
        &mut self,
        state: &mut State,
        thread: usize,
        site: Site,
        size: u64,
        kind: ObjectKind,
        place: Place,
    ) -> Result<Object, Stop> {
        let made = &mut state.thread_mut(thread).made;
        let ordinal = Rc::make_mut(made).entry(site).or_insert(0);
        let name = Name { thread: thread as u32, site, ordinal: *ordinal };
        *ordinal += 1;
        let id = self.names.number(name);
        self.object(id, size, kind, place)
    }

    fn object(
        &mut self,
        id: ObjectId,
        size: u64,
        kind: ObjectKind,
        place: Place,
    ) -> Result<Object, Stop> {
        if size > LARGEST {
            return Err(End::Unsupported(format!("an object of {size} bytes"), place).into());
        }
        self.uses_memory(size);
        match self.names.base(id, size) {
            Some(base) => Ok(Object::new(id, base, size, kind, place)),
            None => Err(End::Unsupported("addresses of 32 bits are used up".into(), place).into()),
        }
    }

    /// The thread's own object `key`, made by `fill` when it is first asked for.
    pub fn own_object(
        &mut self,
        state: &mut State,
        thread: usize,
        key: u32,
        size: u64,
        kind: ObjectKind,
        fill: impl FnOnce(&mut Object),
    ) -> Result<ObjectId, Stop> {
        if let Some(id) = state.threads[thread].own.get(&key) {
            return Ok(*id);
        }
        let name = Name { thread: thread as u32, site: Site::Own(key), ordinal: 0 };
        let id = self.names.number(name);
        let mut object = self.object(id, size, kind, Place::default())?;
        fill(&mut object);
        state.memory.insert(object);
        Rc::make_mut(&mut state.thread_mut(thread).own).insert(key, id);
        Ok(id)
    }

    pub fn address_of(&self, state: &State, object: ObjectId) -> Value {
        self.pointer(state.memory.object(object).map_or(0, |object| object.base))
    }

    /// Functions and globals get their addresses, then the globals their values, which may be addresses.
    pub(crate) fn lay_out(&mut self, state: &mut State) -> Result<(), Stop> {
        let program = self.program.clone();
        self.functions.clear();
        self.globals.clear();
        for (i, function) in program.functions.iter().enumerate() {
            let site = Site::Function(FunctionId(i as u32));
            let kind = ObjectKind::Function(FunctionId(i as u32));
            let object = self.make_object(state, 0, site, 1, kind, function.place)?;
            self.functions.push(object.base);
            state.memory.insert(object);
        }
        for (i, global) in program.globals.iter().enumerate() {
            if global.thread_local {
                self.globals.push(0);
                continue;
            }
            let site = Site::Global(GlobalId(i as u32));
            let mut object =
                self.make_object(state, 0, site, global.size, ObjectKind::Global, global.place)?;
            object.constant = global.constant;
            self.globals.push(object.base);
            state.memory.insert(object);
        }
        for (i, global) in program.globals.iter().enumerate() {
            if !global.thread_local {
                let id = self.names.number(Name {
                    thread: 0,
                    site: Site::Global(GlobalId(i as u32)),
                    ordinal: 0,
                });
                self.initialise(state, 0, id, global)?;
            }
        }
        Ok(())
    }

    fn initialise(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        global: &unpick_ir::Global,
    ) -> Result<(), Stop> {
        match &global.initial {
            Some(initial) => self.fill(state, thread, object, 0, initial),
            None if matches!(global.name.as_str(), "stdin" | "stdout" | "stderr") => {
                let bytes = u64::from(self.program.pointer_bytes);
                let stream = self.own_object(
                    state,
                    0,
                    STREAMS + object.0,
                    256,
                    ObjectKind::Library,
                    |_| {},
                )?;
                let address = self.address_of(state, stream);
                let there = state.memory.object_mut(object).expect("just made");
                there.put_number(0, bytes as usize, address.as_known().unwrap_or(0));
                Ok(())
            }
            // Unknown once it is read.
            None => Ok(()),
        }
    }

    /// Writes an initial value.
    fn fill(
        &mut self,
        state: &mut State,
        thread: usize,
        object: ObjectId,
        offset: u64,
        initial: &Constant,
    ) -> Result<(), Stop> {
        match initial {
            Constant::Aggregate { layout, members } => {
                self.zero(state, object, offset, layout.size);
                for ((at, _), member) in layout.members.iter().zip(members) {
                    self.fill(state, thread, object, offset + at, member)?;
                }
            }
            Constant::Zero(kind) => self.zero(state, object, offset, self.size_of(kind)),
            Constant::Bytes { bytes, .. } => {
                let there = state.memory.object_mut(object).expect("just made");
                there.put_bytes(offset, bytes);
            }
            // Natively the bytes of an undefined initial value are zero.
            Constant::Undefined(kind) => self.zero(state, object, offset, self.size_of(kind)),
            Constant::Bits { width, .. } => {
                let value = self.constant(state, thread, initial)?;
                self.write_at(state, object, offset, &Type::Bits(*width), &value);
            }
            Constant::Null
            | Constant::Global { .. }
            | Constant::Function(_)
            | Constant::Computed(_) => {
                let value = self.constant(state, thread, initial)?;
                let width = self.width_of(&value).unwrap_or(self.pointer_width());
                self.write_at(state, object, offset, &Type::Bits(width), &value);
            }
        }
        Ok(())
    }

    fn zero(&mut self, state: &mut State, object: ObjectId, offset: u64, size: u64) {
        let there = state.memory.object_mut(object).expect("just made");
        there.zero(offset, size);
    }

    /// The running thread's copy of a thread-local variable.
    pub(crate) fn thread_local(
        &mut self,
        state: &mut State,
        thread: usize,
        global: GlobalId,
    ) -> Result<u64, Stop> {
        let program = self.program.clone();
        let variable = program.global(global);
        let key = THREAD_LOCAL + global.0;
        let known = state.threads[thread].own.contains_key(&key);
        let id =
            self.own_object(state, thread, key, variable.size, ObjectKind::ThreadLocal, |_| {})?;
        if !known {
            self.initialise(state, thread, id, variable)?;
        }
        Ok(state.memory.object(id).expect("just made").base)
    }

    /// `main`'s frame, and on top of it the constructors, first one topmost.
    pub(crate) fn begin_main(&mut self, state: &mut State, main: FunctionId) -> Result<(), Stop> {
        let program = self.program.clone();
        let width = self.pointer_width();
        let name = self.own_object(state, 0, PROGRAM_NAME, 8, ObjectKind::Library, |object| {
            object.put_bytes(0, b"program\0");
        })?;
        let bytes = u64::from(program.pointer_bytes);
        let name_at = state.memory.object(name).expect("just made").base;
        let arguments =
            self.own_object(state, 0, ARGUMENTS, 2 * bytes, ObjectKind::Library, |object| {
                object.put_number(0, bytes as usize, name_at);
                object.put_number(bytes, bytes as usize, 0);
            })?;
        let environment = Value::known(width, 0);
        let given = vec![Value::int(1), self.address_of(state, arguments), environment];
        let wanted = program.function(main).parameters.len();
        self.push_frame(state, 0, main, given.into_iter().take(wanted).collect(), Vec::new())?;
        state.early = !program.constructors.is_empty();
        for constructor in program.constructors.iter().rev() {
            self.push_frame(state, 0, *constructor, Vec::new(), Vec::new())?;
            state.frame_mut(0).on_return = crate::state::OnReturn::Nothing;
        }
        Ok(())
    }

    /// An unknown value with a number of its thread's: the same one in every interleaving in which the thread comes
    /// to it on the same way.
    pub fn unknown(&mut self, state: &mut State, thread: usize, width: u32, what: &str) -> Term {
        let number = state.threads[thread].unknowns;
        state.thread_mut(thread).unknowns += 1;
        let term = self.unknown_named((thread as u32, number, width, false), what);
        self.followed_unknown(term, None, what);
        term
    }

    fn unknown_named(&mut self, key: (u32, u32, u32, bool), what: &str) -> Term {
        let (thread, number, width, _) = key;
        if let Some(term) = self.unknowns.get(&key) {
            return *term;
        }
        let name = format!("{what}.{thread}.{number}.{width}");
        let term = self.terms.unknown(&name, Sort::Bits(width));
        self.unknowns.insert(key, term);
        term
    }

    /// An unknown value of so many bits that came from outside: an input of the run.
    pub fn input(&mut self, state: &mut State, thread: usize, width: u32, what: &str) -> Value {
        let term = self.unknown(state, thread, width, what);
        let (event, place) = (state.threads[thread].events, self.place(state, thread));
        let chosen = self.follow.as_ref().and_then(|it| it.picks.get(&(thread, event)).copied());
        self.followed_unknown(term, chosen, what);
        let input = Input { thread, event, term, place, what: what.into() };
        Rc::make_mut(&mut state.inputs).push(input);
        Value::Bits(term)
    }

    /// What memory that was never written holds.
    pub(crate) fn unwritten_value(&mut self, state: &mut State, thread: usize, width: u32) -> Term {
        let number = state.threads[thread].unknowns;
        state.thread_mut(thread).unknowns += 1;
        let term = self.unknown_named((thread as u32, number, width, true), "unwritten");
        self.unwritten.insert(term);
        let found = self.found_by(state, thread, width);
        self.followed_unknown(term, found.or(Some(0)), "memory");
        let place = self.place(state, thread);
        Rc::make_mut(&mut state.unwritten).push((term, place));
        term
    }

    /// Any value at all: of what has no meaning.
    pub(crate) fn undefined(&mut self, width: u32) -> Term {
        let term = self.unknown_named((u32::MAX, 0, width, true), "undefined");
        self.unwritten.insert(term);
        term
    }
}
