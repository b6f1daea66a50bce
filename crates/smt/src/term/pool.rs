//! The pool that holds each term once.

use super::float::Rounding;
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::rc::Rc;

/// An index into [`Terms`]. Equal terms are the same index.
///
/// Small constants are not in the pool at all: the index itself says which they are, so that a concrete program
/// does not fill the pool with its counters.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Term(u32);

/// Floats are `Bits` in the layout of IEEE 754.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sort {
    Bool,
    /// Of a width from 1 to 2^16.
    Bits(u32),
}

/// An operator. Operands are of one width unless it says otherwise; division follows SMT-LIB where the divisor is
/// zero.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Op {
    Not,
    And,
    Or,
    /// A condition and two terms of the same sort.
    Ite,
    /// Of two terms of the same sort, also truth values.
    Eq,
    Add,
    Sub,
    Neg,
    Mul,
    UDiv,
    SDiv,
    URem,
    SRem,
    BAnd,
    BOr,
    BXor,
    BNot,
    Shl,
    LShr,
    AShr,
    ULt,
    ULe,
    SLt,
    SLe,
    /// The first operand is the higher part.
    Concat,
    Extract {
        high: u32,
        low: u32,
    },
    /// To the width of the term.
    ZExt,
    SExt,
    MulOverflowsSigned,
    MulOverflowsUnsigned,
    /// Floats round to nearest, ties to even; a result that is not a number has the pattern of [`Terms::nan`].
    FAdd,
    FSub,
    FMul,
    FDiv,
    /// As C's `fmod`.
    FRem,
    FSqrt,
    /// `a * b + c`, rounded once.
    Fma,
    FRound(Rounding),
    /// To the format of the term's width.
    FToF,
    /// Toward zero. Means something only where the result fits.
    FToS,
    FToU,
    SToF,
    UToF,
}

/// What a term is made of.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Node<'a> {
    Truth(bool),
    /// A constant of at most 128 bits; wider ones are made of these.
    Bits(u128),
    /// By name, for printing.
    Unknown(&'a str),
    Apply(Op, &'a [Term]),
}

enum Entry {
    Constant { width: u32, value: u128 },
    Unknown { sort: Sort, name: Box<str> },
    Apply { op: Op, sort: Sort, count: u8, operands: [Term; 3] },
}

/// Sets of unknowns that are kept for the inner terms, too, are at most this large: else a long chain would keep
/// one for each of its links.
const SMALL: usize = 32;

/// The pool. It only grows.
#[derive(Default)]
pub struct Terms {
    entries: Vec<Entry>,
    constants: HashMap<(u32, u128), Term, Quick>,
    applied: HashMap<(Op, Sort, [Term; 3]), Term, Quick>,
    unknowns: RefCell<HashMap<Term, Rc<[Term]>, Quick>>,
    /// How many rewritings deep we are: see [`Terms::deeper`].
    depth: u32,
}

/// Rewritings that go down into their operands stop here: a chain of a hundred thousand links must not need a
/// stack as deep.
const DEEP: u32 = 48;

const INLINE: u32 = 1 << 31;
/// The sorts that small constants in an index may have, by their number there. The first is `Bool`.
const INLINE_WIDTHS: [u32; 8] = [0, 1, 8, 16, 32, 64, 128, 2];
const INLINE_BITS: u32 = 28;
/// Fills unused operands.
const NOTHING: Term = Term(u32::MAX >> 1);
const WIDEST: u32 = 1 << 16;

/// All ones, in so many bits.
pub(crate) fn mask(width: u32) -> u128 {
    if width >= 128 { u128::MAX } else { (1 << width) - 1 }
}

/// The value as a signed number.
pub(crate) fn signed(width: u32, value: u128) -> i128 {
    let unused = 128 - width;
    ((value << unused) as i128) >> unused
}

impl Term {
    fn inline(width: u32, value: u128) -> Option<Term> {
        let code = match width {
            1 => 1,
            8 => 2,
            16 => 3,
            32 => 4,
            64 => 5,
            128 => 6,
            2 => 7,
            _ => return None,
        };
        let value = signed(width, value);
        let limit = 1i128 << (INLINE_BITS - 1);
        let fits = (-limit..limit).contains(&value);
        fits.then_some(Term(INLINE | code << INLINE_BITS | value as u32 & ((1 << INLINE_BITS) - 1)))
    }

    fn inlined(self) -> Option<(u32, u128)> {
        if self.0 & INLINE == 0 {
            return None;
        }
        let width = INLINE_WIDTHS[(self.0 >> INLINE_BITS & 7) as usize];
        let unused = u32::BITS - INLINE_BITS;
        let value = ((self.0 << unused) as i32 >> unused) as i128 as u128;
        Some((width, if width == 0 { value } else { value & mask(width) }))
    }
}

impl Term {
    /// For names.
    pub(crate) fn number(self) -> u32 {
        self.0
    }
}

impl Terms {
    pub(crate) fn unknown_by_number(&self, number: u32) -> Option<Term> {
        matches!(self.entries.get(number as usize), Some(Entry::Unknown { .. }))
            .then_some(Term(number))
    }

    pub fn new() -> Terms {
        Terms::default()
    }

    /// How many terms the pool holds.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    fn entry(&self, term: Term) -> &Entry {
        &self.entries[term.0 as usize]
    }

    pub fn sort(&self, term: Term) -> Sort {
        match term.inlined() {
            Some((0, _)) => Sort::Bool,
            Some((width, _)) => Sort::Bits(width),
            None => match *self.entry(term) {
                Entry::Constant { width, .. } => Sort::Bits(width),
                Entry::Unknown { sort, .. } | Entry::Apply { sort, .. } => sort,
            },
        }
    }

    /// How many bits it has.
    ///
    /// # Panics
    /// For a truth value.
    pub fn width(&self, term: Term) -> u32 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            Sort::Bool => panic!("a truth value has no width"),
        }
    }

    pub fn node(&self, term: Term) -> Node<'_> {
        match term.inlined() {
            Some((0, value)) => Node::Truth(value != 0),
            Some((_, value)) => Node::Bits(value),
            None => match self.entry(term) {
                Entry::Constant { value, .. } => Node::Bits(*value),
                Entry::Unknown { name, .. } => Node::Unknown(name),
                Entry::Apply { op, count, operands, .. } => {
                    Node::Apply(*op, &operands[..usize::from(*count)])
                }
            },
        }
    }

    /// The operator and the operands, if it has any.
    pub(super) fn look(&self, term: Term) -> Option<(Op, [Term; 3])> {
        if term.0 & INLINE != 0 {
            return None;
        }
        match *self.entry(term) {
            Entry::Apply { op, operands, .. } => Some((op, operands)),
            _ => None,
        }
    }

    /// A constant of at most 128 bits, or the same with zeros before it. The value is cut to the width.
    pub fn bits(&mut self, width: u32, value: u128) -> Term {
        assert!((1..=WIDEST).contains(&width), "no bits of width {width}");
        if width > 128 {
            let low = self.bits(128, value);
            return self.zext(low, width);
        }
        let value = value & mask(width);
        if let Some(term) = Term::inline(width, value) {
            return term;
        }
        if let Some(&term) = self.constants.get(&(width, value)) {
            return term;
        }
        let term = self.push(Entry::Constant { width, value });
        self.constants.insert((width, value), term);
        term
    }

    pub fn truth(&mut self, value: bool) -> Term {
        Term(INLINE | u32::from(value))
    }

    pub fn as_bits(&self, term: Term) -> Option<u128> {
        match term.inlined() {
            Some((0, _)) => None,
            Some((_, value)) => Some(value),
            None => match *self.entry(term) {
                Entry::Constant { value, .. } => Some(value),
                _ => None,
            },
        }
    }

    pub fn as_truth(&self, term: Term) -> Option<bool> {
        match term.inlined() {
            Some((0, value)) => Some(value != 0),
            _ => None,
        }
    }

    pub fn is_constant(&self, term: Term) -> bool {
        self.constant(term).is_some()
    }

    /// A constant's value; a truth value is 0 or 1.
    pub(super) fn constant(&self, term: Term) -> Option<u128> {
        match term.inlined() {
            Some((_, value)) => Some(value),
            None => match *self.entry(term) {
                Entry::Constant { value, .. } => Some(value),
                _ => None,
            },
        }
    }

    pub(super) fn constant_of(&mut self, sort: Sort, value: u128) -> Term {
        match sort {
            Sort::Bool => self.truth(value != 0),
            Sort::Bits(width) => self.bits(width, value),
        }
    }

    /// Something that is not known. Each is new, also when another one has the same name.
    pub fn unknown(&mut self, name: &str, sort: Sort) -> Term {
        self.push(Entry::Unknown { sort, name: name.into() })
    }

    pub fn is_unknown(&self, term: Term) -> bool {
        term.0 & INLINE == 0 && matches!(self.entry(term), Entry::Unknown { .. })
    }

    fn push(&mut self, entry: Entry) -> Term {
        let index = self.entries.len();
        assert!(index < NOTHING.0 as usize, "the pool of terms is full");
        self.entries.push(entry);
        Term(index as u32)
    }

    /// The term as it is, if it is not there yet.
    pub(crate) fn raw(&mut self, op: Op, sort: Sort, given: &[Term]) -> Term {
        let mut operands = [NOTHING; 3];
        operands[..given.len()].copy_from_slice(given);
        if let Some(&term) = self.applied.get(&(op, sort, operands)) {
            return term;
        }
        let term = self.push(Entry::Apply { op, sort, count: given.len() as u8, operands });
        self.applied.insert((op, sort, operands), term);
        term
    }

    /// The term, folded where its operands are constants, or choices between constants.
    pub(super) fn make(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        self.folded(op, sort, operands).unwrap_or_else(|| self.raw(op, sort, operands))
    }

    #[cfg(test)]
    pub(crate) fn make_for_test(&mut self, op: Op, sort: Sort, operands: &[Term]) -> Term {
        self.make(op, sort, operands)
    }

    /// Goes on below, unless that is too deep already.
    pub(super) fn deeper(
        &mut self,
        rewrite: impl FnOnce(&mut Terms) -> Option<Term>,
    ) -> Option<Term> {
        if self.depth >= DEEP {
            return None;
        }
        self.depth += 1;
        let result = rewrite(self);
        self.depth -= 1;
        result
    }

    /// All terms below these and themselves, operands first; constants that are not in the pool are left out.
    /// Operands are always older than what is made of them, so their order is that of their age.
    pub(crate) fn below(&self, roots: &[Term], mut known: impl FnMut(Term) -> bool) -> Vec<Term> {
        let mut found = Vec::new();
        let mut seen = std::collections::HashSet::<Term, Quick>::default();
        let mut open = roots.to_vec();
        while let Some(term) = open.pop() {
            if term.0 & INLINE != 0 || known(term) || !seen.insert(term) {
                continue;
            }
            found.push(term);
            if let Entry::Apply { count, operands, .. } = self.entry(term) {
                open.extend(&operands[..usize::from(*count)]);
            }
        }
        found.sort_unstable();
        found
    }

    /// The unknowns in a term, each once, oldest first.
    pub fn unknowns_of(&self, term: Term) -> impl Iterator<Item = Term> + use<> {
        let set = self.unknown_set(term);
        (0..set.len()).map(move |i| set[i])
    }

    pub(crate) fn unknown_set(&self, term: Term) -> Rc<[Term]> {
        if term.0 & INLINE != 0 {
            return Rc::new([]);
        }
        let mut kept = self.unknowns.borrow_mut();
        if let Some(set) = kept.get(&term) {
            return set.clone();
        }
        // Large sets of inner terms are given up again when the root's is known.
        let mut large = Vec::new();
        for inner in self.below(&[term], |inner| kept.contains_key(&inner)) {
            let set = match self.entry(inner) {
                Entry::Constant { .. } => Rc::new([]),
                Entry::Unknown { .. } => Rc::new([inner]) as Rc<[Term]>,
                Entry::Apply { count, operands, .. } => {
                    let sets = operands[..usize::from(*count)]
                        .iter()
                        .filter_map(|operand| kept.get(operand));
                    union(sets)
                }
            };
            if set.len() > SMALL && inner != term {
                large.push(inner);
            }
            kept.insert(inner, set);
        }
        let set = kept[&term].clone();
        for inner in large {
            kept.remove(&inner);
        }
        set
    }

    /// Whether the sorts agree, for what cannot be right otherwise.
    pub(super) fn same_sort(&self, a: Term, b: Term) -> Sort {
        let sort = self.sort(a);
        assert_eq!(sort, self.sort(b), "operands of different sorts");
        sort
    }
}

/// One of the sets itself where it has all the others in it.
fn union<'a>(sets: impl Iterator<Item = &'a Rc<[Term]>>) -> Rc<[Term]> {
    let mut result: Rc<[Term]> = Rc::new([]);
    for set in sets {
        if Rc::ptr_eq(&result, set) || set.iter().all(|one| result.binary_search(one).is_ok()) {
            continue;
        }
        if result.iter().all(|one| set.binary_search(one).is_ok()) {
            result = set.clone();
            continue;
        }
        let mut all: Vec<Term> = result.iter().chain(set.iter()).copied().collect();
        all.sort_unstable();
        all.dedup();
        result = all.into();
    }
    result
}

/// A fast hash for small keys of our own making.
#[derive(Default, Clone, Copy)]
pub(crate) struct QuickHasher(u64);

pub(crate) type Quick = BuildHasherDefault<QuickHasher>;

impl QuickHasher {
    fn mix(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for QuickHasher {
    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 29
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.mix(byte.into());
        }
    }

    fn write_u8(&mut self, value: u8) {
        self.mix(value.into());
    }

    fn write_u32(&mut self, value: u32) {
        self.mix(value.into());
    }

    fn write_u64(&mut self, value: u64) {
        self.mix(value);
    }

    fn write_u128(&mut self, value: u128) {
        self.mix(value as u64);
        self.mix((value >> 64) as u64);
    }

    fn write_usize(&mut self, value: usize) {
        self.mix(value as u64);
    }

    fn write_isize(&mut self, value: isize) {
        self.mix(value as u64);
    }
}
