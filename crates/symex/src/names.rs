//! An object has the same address in every interleaving.
//!
//! Objects are named by who made them, where, and the how manieth there. The table of names belongs to the machine, so
//! all its states agree on what a name's number is; the address follows from the number. Addresses lie 2^32 apart
//! (64 bit), the object in the middle: whatever is computed from an object's address by adding an `int` still points
//! near that object and near no other. With 32 bits addresses are handed out one after the other with what gaps there
//! are.

use std::collections::HashMap;
use unpick_ir::{FunctionId, GlobalId};

/// The number of an object's name; 0 is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObjectId(pub u32);

/// What makes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Site {
    Global(GlobalId),
    Function(FunctionId),
    /// The instruction `at` of a block: a local variable or a call that allocates.
    Instruction {
        function: FunctionId,
        block: u32,
        at: u32,
    },
    /// What a thread has of its own: its copy of a thread-local variable, its arguments, what the C library keeps.
    Own(u32),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Name {
    pub thread: u32,
    pub site: Site,
    pub ordinal: u32,
}

/// Names of one site and thread get their numbers in rows, so that the table stays small.
const ROW: u32 = 64;

#[derive(Clone, Debug, Default)]
pub struct Names {
    rows: HashMap<(u32, Site, u32), u32>,
    names: Vec<(u32, Site, u32)>,
}

impl Names {
    /// The number of a name, made if it is new.
    pub fn number(&mut self, name: Name) -> ObjectId {
        let row = if matches!(name.site, Site::Instruction { .. }) { ROW } else { 1 };
        let key = (name.thread, name.site, name.ordinal / row);
        let first = match self.rows.get(&key) {
            Some(first) => *first,
            None => {
                let first = self.names.len() as u32 + 1;
                self.rows.insert(key, first);
                let all = (0..row).map(|i| (name.thread, name.site, name.ordinal / row * row + i));
                self.names.extend(all);
                first
            }
        };
        ObjectId(first + name.ordinal % row)
    }

    pub fn name(&self, object: ObjectId) -> Option<Name> {
        let (thread, site, ordinal) = *self.names.get(object.0.checked_sub(1)? as usize)?;
        Some(Name { thread, site, ordinal })
    }
}
