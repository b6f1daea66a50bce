//! An object has the same address in every interleaving.
//!
//! Objects are named by who made them, where, and the how manieth there. The table of names belongs to the machine, so
//! all its states agree on what a name's number is; the address follows from the number. Addresses lie 2^32 apart
//! (64 bit), the object in the middle: whatever is computed from an object's address by adding an `int` still points
//! near that object and near no other. With 32 bits addresses are handed out one after the other, with gaps of a page.

use std::collections::{BTreeMap, HashMap};
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
/// What belongs to one object, 64 bit.
const ZONE: u32 = 32;
/// Larger objects are not supported.
pub const LARGEST: u64 = 1 << 30;

#[derive(Clone, Debug, Default)]
pub struct Names {
    rows: HashMap<(u32, Site, u32), u32>,
    names: Vec<(u32, Site, u32)>,
    /// With 32 bits: what each object got, by number and size, and by address.
    narrow: Option<Narrow>,
}

#[derive(Clone, Debug, Default)]
struct Narrow {
    bases: HashMap<(ObjectId, u64), u32>,
    objects: BTreeMap<u32, (ObjectId, u32)>,
    next: u32,
}

const NARROW_GAP: u32 = 4096;

impl Names {
    pub fn new(pointer_bytes: u32) -> Names {
        let narrow = (pointer_bytes == 4).then(|| Narrow { next: 0x1_0000, ..Narrow::default() });
        Names { narrow, ..Names::default() }
    }

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

    /// The address of an object of this size; `None` where there is no room.
    pub fn base(&mut self, object: ObjectId, size: u64) -> Option<u64> {
        let Some(narrow) = &mut self.narrow else {
            return Some((u64::from(object.0) << ZONE) + (1 << (ZONE - 1)));
        };
        if let Some(base) = narrow.bases.get(&(object, size)) {
            return Some(u64::from(*base));
        }
        let base = narrow.next;
        let span = u32::try_from(size).ok()?.checked_add(NARROW_GAP)? & !0xf;
        narrow.next = base.checked_add(span)?;
        narrow.bases.insert((object, size), base);
        narrow.objects.insert(base, (object, span));
        Some(u64::from(base))
    }

    /// The object that an address belongs to or is near to, and the bytes around it that are its own.
    pub fn zone(&self, address: u64) -> Option<Zone> {
        let Some(narrow) = &self.narrow else {
            let object = ObjectId((address >> ZONE) as u32);
            let first = address >> ZONE << ZONE;
            return (object.0 != 0).then_some(Zone { object, first, size: 1 << ZONE });
        };
        let address = u32::try_from(address).ok()?;
        let (base, (object, span)) =
            narrow.objects.range(..=address.saturating_add(64)).next_back()?;
        // What lies just before an object is its own.
        let first = u64::from(base - 64);
        (address < base - 64 + span).then_some(Zone {
            object: *object,
            first,
            size: u64::from(*span),
        })
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Zone {
    pub object: ObjectId,
    pub first: u64,
    pub size: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn local(thread: u32, ordinal: u32) -> Name {
        let site = Site::Instruction { function: FunctionId(2), block: 0, at: 5 };
        Name { thread, site, ordinal }
    }

    #[test]
    fn a_name_keeps_its_number_whoever_asks_first() {
        let mut names = Names::new(8);
        let first = names.number(local(1, 70));
        let other = names.number(local(0, 0));
        assert_ne!(first, other);
        assert_eq!(names.number(local(1, 70)), first);
        assert_eq!(names.name(first), Some(local(1, 70)));
        assert_eq!(names.name(names.clone().number(local(1, 71))), Some(local(1, 71)));
    }

    #[test]
    fn what_is_near_an_object_belongs_to_it() {
        for bytes in [4, 8] {
            let mut names = Names::new(bytes);
            let id = names.number(local(0, 1));
            let next = names.number(local(0, 2));
            let base = names.base(id, 40).expect("room");
            let behind = names.base(next, 8).expect("room");
            assert_eq!(names.base(id, 40), Some(base));
            for address in [base, base + 39, base + 1000, base - 8] {
                assert_eq!(
                    names.zone(address).map(|zone| zone.object),
                    Some(id),
                    "{bytes}: {address:x}"
                );
            }
            assert_eq!(names.zone(behind).map(|zone| zone.object), Some(next));
            assert_eq!(names.zone(0), None);
            let zone = names.zone(base).expect("a zone");
            assert!(zone.first <= base && base + 40 <= zone.first + zone.size);
        }
    }
}
