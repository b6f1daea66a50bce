//! Objects by number, in a tree that states share.
//!
//! Two levels of tables of 64 under a list: a copy of the memory is one pointer, and a write after that copies the
//! tables on its way. Objects that are gone leave a mark, so that what happens to them afterwards has a name.

mod object;
mod page;

pub use object::{Object, ObjectKind};
pub use page::Byte;

use crate::names::ObjectId;
use std::rc::Rc;
use unpick_ir::Place;

const FAN: usize = 64;

/// What is known under a number.
#[derive(Clone, Debug, Default)]
pub enum Slot {
    #[default]
    Absent,
    Live(Rc<Object>),
    /// A local variable whose block or function was left, or not yet entered.
    Returned,
    Freed(Rc<Freed>),
}

/// A heap block that is gone.
#[derive(Clone, Debug)]
pub struct Freed {
    pub size: u64,
    pub allocated: Place,
    pub freed: Place,
    pub by: usize,
}

type Leaf = Rc<[Slot; FAN]>;
type Table = Rc<[Option<Leaf>; FAN]>;

#[derive(Clone, Debug, Default)]
pub struct Memory {
    tables: Rc<Vec<Option<Table>>>,
}

fn path(id: ObjectId) -> (usize, usize, usize) {
    let id = id.0 as usize;
    (id / FAN / FAN, id / FAN % FAN, id % FAN)
}

impl Memory {
    pub fn slot(&self, id: ObjectId) -> &Slot {
        let (table, leaf, at) = path(id);
        let slot = self.tables.get(table).and_then(|table| table.as_ref());
        match slot.and_then(|table| table[leaf].as_ref()) {
            Some(leaf) => &leaf[at],
            None => &Slot::Absent,
        }
    }

    fn slot_mut(&mut self, id: ObjectId) -> &mut Slot {
        let (table, leaf, at) = path(id);
        let tables = Rc::make_mut(&mut self.tables);
        if tables.len() <= table {
            tables.resize(table + 1, None);
        }
        let table = tables[table].get_or_insert_with(|| Rc::new([const { None }; FAN]));
        let leaf = &mut Rc::make_mut(table)[leaf];
        let leaf = leaf.get_or_insert_with(|| Rc::new([const { Slot::Absent }; FAN]));
        &mut Rc::make_mut(leaf)[at]
    }

    pub fn object(&self, id: ObjectId) -> Option<&Object> {
        match self.slot(id) {
            Slot::Live(object) => Some(object),
            _ => None,
        }
    }

    pub fn object_mut(&mut self, id: ObjectId) -> Option<&mut Object> {
        match self.slot_mut(id) {
            Slot::Live(object) => Some(Rc::make_mut(object)),
            _ => None,
        }
    }

    pub fn insert(&mut self, object: Object) {
        let id = object.id;
        *self.slot_mut(id) = Slot::Live(Rc::new(object));
    }

    /// A local variable's block or function was left.
    pub fn end_local(&mut self, id: ObjectId) {
        *self.slot_mut(id) = Slot::Returned;
    }

    pub fn free(&mut self, id: ObjectId, freed: Place, by: usize) {
        let slot = self.slot_mut(id);
        if let Slot::Live(object) = slot {
            let gone = Freed { size: object.size, allocated: object.place, freed, by };
            *slot = Slot::Freed(Rc::new(gone));
        }
    }

    /// All objects that are there, by number.
    pub fn live(&self) -> impl Iterator<Item = &Rc<Object>> {
        let leaves = self.tables.iter().flatten().flat_map(|table| table.iter().flatten());
        leaves.flat_map(|leaf| leaf.iter()).filter_map(|slot| match slot {
            Slot::Live(object) => Some(object),
            _ => None,
        })
    }

    /// Numbers under which the two differ: what only one of them has, or what was changed in one of them.
    pub fn differences(&self, other: &Memory) -> Vec<ObjectId> {
        let mut found = Vec::new();
        for table in 0..self.tables.len().max(other.tables.len()) {
            let mine = self.tables.get(table).and_then(|table| table.as_ref());
            let theirs = other.tables.get(table).and_then(|table| table.as_ref());
            if same(mine, theirs) {
                continue;
            }
            for leaf in 0..FAN {
                let one = mine.and_then(|table| table[leaf].as_ref());
                let two = theirs.and_then(|table| table[leaf].as_ref());
                if same(one, two) {
                    continue;
                }
                let ids = (0..FAN).map(|at| ObjectId(((table * FAN + leaf) * FAN + at) as u32));
                found.extend(ids.filter(|id| match (self.slot(*id), other.slot(*id)) {
                    (Slot::Live(one), Slot::Live(two)) => !Rc::ptr_eq(one, two),
                    (Slot::Freed(one), Slot::Freed(two)) => !Rc::ptr_eq(one, two),
                    (Slot::Absent, Slot::Absent) | (Slot::Returned, Slot::Returned) => false,
                    _ => true,
                }));
            }
        }
        found
    }

    pub fn slot_put(&mut self, id: ObjectId, slot: Slot) {
        *self.slot_mut(id) = slot;
    }
}

fn same<T>(one: Option<&Rc<T>>, two: Option<&Rc<T>>) -> bool {
    match (one, two) {
        (Some(one), Some(two)) => Rc::ptr_eq(one, two),
        (None, None) => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unpick_ir::Place;

    fn object(id: u32, size: u64) -> Object {
        let base = (u64::from(id) << 32) + (1 << 31);
        Object::new(ObjectId(id), base, size, ObjectKind::Heap, Place::default())
    }

    fn address(memory: &Memory, id: u32) -> *const Object {
        memory.object(ObjectId(id)).expect("it is there")
    }

    #[test]
    fn a_copy_shares_everything_until_it_is_written() {
        let mut first = Memory::default();
        for id in [1, 70, 5000] {
            first.insert(object(id, 16));
        }
        let mut second = first.clone();
        assert_eq!(address(&first, 70), address(&second, 70));
        assert!(first.differences(&second).is_empty());
        second.object_mut(ObjectId(70)).expect("it is there").put_number(4, 4, 7);
        assert_eq!(first.differences(&second), [ObjectId(70)]);
        assert_eq!(address(&first, 5000), address(&second, 5000));
        assert_eq!(first.object(ObjectId(70)).and_then(|one| one.number(4, 4)), None);
        assert_eq!(second.object(ObjectId(70)).and_then(|one| one.number(4, 4)), Some(7));
    }

    #[test]
    fn what_is_gone_leaves_a_mark() {
        let mut memory = Memory::default();
        memory.insert(object(3, 8));
        memory.insert(object(4, 8));
        memory.free(ObjectId(3), Place::default(), 1);
        memory.end_local(ObjectId(4));
        assert!(
            matches!(memory.slot(ObjectId(3)), Slot::Freed(freed) if freed.size == 8 && freed.by == 1)
        );
        assert!(matches!(memory.slot(ObjectId(4)), Slot::Returned));
        assert!(matches!(memory.slot(ObjectId(5)), Slot::Absent));
        assert_eq!(memory.live().count(), 0);
    }

    #[test]
    fn numbers_cross_pages_and_unwritten_bytes_are_none() {
        let mut long = object(1, 5000);
        long.put_number(1020, 8, 0x0123_4567_89ab_cdef);
        assert_eq!(long.number(1020, 8), Some(0x0123_4567_89ab_cdef));
        assert_eq!(long.number(1022, 2), Some(0x89ab));
        assert_eq!(long.number(1019, 2), None);
        long.zero(0, 5000);
        assert_eq!(long.number(4992, 8), Some(0));
        long.put_byte(3, Byte::Unwritten);
        assert_eq!(long.number(0, 4), None);
        assert_eq!(long.number(4, 4), Some(0));
    }
}
