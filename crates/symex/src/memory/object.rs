//! One object: a variable, a heap block, a function.

use super::page::{Byte, Page};
use crate::names::ObjectId;
use std::rc::Rc;
use unpick_ir::{FunctionId, Place};
use unpick_smt::Term;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObjectKind {
    Global,
    ThreadLocal,
    Local,
    Heap,
    /// Its address can be called, not read.
    Function(FunctionId),
    /// What the C library keeps: `errno`, tables, streams.
    Library,
}

#[derive(Clone, Debug)]
pub struct Object {
    pub id: ObjectId,
    pub base: u64,
    /// In bytes; where `limit` is there, the most it can be.
    pub size: u64,
    /// The size, where it is not a constant.
    pub limit: Option<Term>,
    pub kind: ObjectKind,
    pub constant: bool,
    /// Where it was made.
    pub place: Place,
    /// Of a heap block: how far it can grow where it is, natively.
    pub room: u64,
    /// Threads that read it and wrote it while others were there; bit 63 stands for all from 63 on.
    pub readers: u64,
    pub writers: u64,
    contents: Contents,
}

/// Long objects are cut into pages, which states share.
#[derive(Clone, Debug)]
enum Contents {
    Short(Page),
    Long(Vec<Rc<Page>>),
}

const PAGE: usize = 1024;

impl Object {
    /// With contents that were never written.
    pub fn new(id: ObjectId, base: u64, size: u64, kind: ObjectKind, place: Place) -> Object {
        Object::with(id, base, size, kind, place, Page::unwritten)
    }

    pub fn zeroed(id: ObjectId, base: u64, size: u64, kind: ObjectKind, place: Place) -> Object {
        Object::with(id, base, size, kind, place, Page::zeroed)
    }

    fn with(
        id: ObjectId,
        base: u64,
        size: u64,
        kind: ObjectKind,
        place: Place,
        page: fn(usize) -> Page,
    ) -> Object {
        let length = size as usize;
        let contents = if length <= PAGE {
            Contents::Short(page(length))
        } else {
            let whole = Rc::new(page(PAGE));
            let mut pages = vec![whole; length / PAGE];
            if !length.is_multiple_of(PAGE) {
                pages.push(Rc::new(page(length % PAGE)));
            }
            Contents::Long(pages)
        };
        Object {
            id,
            base,
            size,
            limit: None,
            kind,
            constant: false,
            place,
            room: 0,
            readers: 0,
            writers: 0,
            contents,
        }
    }

    /// The page of a byte, and the byte's place in it.
    fn page(&self, offset: u64) -> (&Page, usize) {
        match &self.contents {
            Contents::Short(page) => (page, offset as usize),
            Contents::Long(pages) => (&pages[offset as usize / PAGE], offset as usize % PAGE),
        }
    }

    fn page_mut(&mut self, offset: u64) -> (&mut Page, usize) {
        match &mut self.contents {
            Contents::Short(page) => (page, offset as usize),
            Contents::Long(pages) => {
                (Rc::make_mut(&mut pages[offset as usize / PAGE]), offset as usize % PAGE)
            }
        }
    }

    /// Does the page of `offset` hold `size` bytes from there?
    fn within(&self, offset: u64, size: usize) -> bool {
        matches!(self.contents, Contents::Short(_)) || offset as usize % PAGE + size <= PAGE
    }

    /// Up to 8 bytes as a little-endian number, where all are written and concrete.
    pub fn number(&self, offset: u64, size: usize) -> Option<u64> {
        if self.within(offset, size) {
            let (page, at) = self.page(offset);
            return page.number(at, size);
        }
        let mut number = 0;
        for i in (0..size).rev() {
            let Byte::Known(byte) = self.byte(offset + i as u64) else { return None };
            number = number << 8 | byte as u64;
        }
        Some(number)
    }

    pub fn put_number(&mut self, offset: u64, size: usize, number: u64) {
        if self.within(offset, size) {
            let (page, at) = self.page_mut(offset);
            return page.put_number(at, size, number);
        }
        for i in 0..size {
            self.put_byte(offset + i as u64, Byte::Known((number >> (8 * i)) as u8));
        }
    }

    pub fn byte(&self, offset: u64) -> Byte {
        let (page, at) = self.page(offset);
        page.byte(at)
    }

    pub fn put_byte(&mut self, offset: u64, byte: Byte) {
        let (page, at) = self.page_mut(offset);
        page.put_byte(at, byte);
    }

    /// The bytes of `term`, lowest first; its width is a multiple of 8.
    pub fn put_term(&mut self, offset: u64, size: usize, term: Term) {
        for i in 0..size {
            self.put_byte(offset + i as u64, Byte::Part(term, i as u16));
        }
    }

    /// Concrete bytes, all at once.
    pub fn put_bytes(&mut self, offset: u64, bytes: &[u8]) {
        let mut done = 0;
        while done < bytes.len() {
            let offset = offset + done as u64;
            let (page, at) = self.page_mut(offset);
            let count = (page.len() - at).min(bytes.len() - done);
            page.put_bytes(at, &bytes[done..done + count]);
            done += count;
        }
    }

    pub fn zero(&mut self, offset: u64, size: u64) {
        if offset == 0 && size == self.size {
            let whole = Object::zeroed(self.id, self.base, self.size, self.kind, self.place);
            self.contents = whole.contents;
            return;
        }
        let mut done = 0;
        while done < size {
            let (page, at) = self.page_mut(offset + done);
            let count = (page.len() - at).min((size - done) as usize);
            page.put_bytes(at, &vec![0; count]);
            done += count as u64;
        }
    }

    pub fn bytes(&self, offset: u64, size: usize) -> Vec<Byte> {
        (offset..offset + size as u64).map(|at| self.byte(at)).collect()
    }

    /// Nothing of it was changed since the two were one.
    pub fn same_contents(&self, other: &Object) -> bool {
        match (&self.contents, &other.contents) {
            (Contents::Short(one), Contents::Short(two)) => one == two,
            (Contents::Long(one), Contents::Long(two)) => {
                one.len() == two.len()
                    && one.iter().zip(two).all(|(one, two)| Rc::ptr_eq(one, two) || one == two)
            }
            _ => false,
        }
    }
}
