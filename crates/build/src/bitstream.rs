//! LLVM's bitstream container, as far as one has to walk it: blocks, records, abbreviations.
//!
//! The format is described in LLVM's "Bitcode File Format". `None` means: not such a stream, or broken.

use std::collections::HashMap;
use std::rc::Rc;

pub(crate) struct Bitstream<'a> {
    bytes: &'a [u8],
    /// In bits.
    at: usize,
    /// Abbreviations that every block of a kind starts with.
    common: HashMap<u64, Vec<Rc<Abbreviation>>>,
}

pub(crate) struct Block {
    pub kind: u64,
    /// How many bits an abbreviation's number takes.
    width: u32,
    end: usize,
    abbreviations: Vec<Rc<Abbreviation>>,
}

pub(crate) struct Record {
    pub code: u64,
    pub fields: Vec<u64>,
    pub blob: Vec<u8>,
}

pub(crate) enum Item {
    Block(Block),
    Record(Record),
    End,
}

type Abbreviation = Vec<Field>;

#[derive(Clone, Copy)]
enum Field {
    Literal(u64),
    Fixed(u32),
    Variable(u32),
    /// Of what the next field says.
    Array,
    Char6,
    Blob,
}

const END_BLOCK: u64 = 0;
const ENTER_BLOCK: u64 = 1;
const DEFINE_ABBREVIATION: u64 = 2;
const PLAIN_RECORD: u64 = 3;
/// The block that defines abbreviations for others, and its record that says for which.
const BLOCK_INFO: u64 = 0;
const SET_BLOCK: u64 = 1;
const OUTERMOST_WIDTH: u32 = 2;

impl<'a> Bitstream<'a> {
    /// The stream and its outermost level.
    pub fn open(bytes: &'a [u8]) -> Option<(Bitstream<'a>, Block)> {
        bytes.starts_with(b"BC\xc0\xde").then(|| {
            let stream = Bitstream { bytes, at: 32, common: HashMap::new() };
            let end = bytes.len() / 4 * 32;
            (stream, Block { kind: u64::MAX, width: OUTERMOST_WIDTH, end, abbreviations: vec![] })
        })
    }

    pub fn next(&mut self, block: &mut Block) -> Option<Item> {
        loop {
            if self.at >= block.end {
                return Some(Item::End);
            }
            match self.fixed(block.width)? {
                END_BLOCK => {
                    self.at = block.end;
                    return Some(Item::End);
                }
                ENTER_BLOCK => {
                    let inner = self.enter()?;
                    if inner.kind != BLOCK_INFO {
                        return Some(Item::Block(inner));
                    }
                    self.block_info(inner)?;
                }
                DEFINE_ABBREVIATION => block.abbreviations.push(Rc::new(self.abbreviation()?)),
                PLAIN_RECORD => return Some(Item::Record(self.plain()?)),
                number => {
                    let index = usize::try_from(number - PLAIN_RECORD - 1).ok()?;
                    let abbreviation = block.abbreviations.get(index)?.clone();
                    return Some(Item::Record(self.abbreviated(&abbreviation)?));
                }
            }
        }
    }

    /// Goes on behind the block.
    pub fn skip(&mut self, block: &Block) {
        self.at = block.end;
    }

    fn enter(&mut self) -> Option<Block> {
        let kind = self.variable(8)?;
        let width = u32::try_from(self.variable(4)?).ok().filter(|w| (2..=32).contains(w))?;
        self.align();
        let words = usize::try_from(self.fixed(32)?).ok()?;
        let end = self.at.checked_add(words * 32).filter(|end| *end <= self.bytes.len() * 8)?;
        let abbreviations = self.common.get(&kind).cloned().unwrap_or_default();
        Some(Block { kind, width, end, abbreviations })
    }

    fn block_info(&mut self, mut info: Block) -> Option<()> {
        let mut about = None;
        loop {
            let known = info.abbreviations.len();
            let item = self.next(&mut info)?;
            // What was defined meanwhile is for the block that the last record named.
            for abbreviation in info.abbreviations.drain(known..) {
                self.common.entry(about?).or_default().push(abbreviation);
            }
            match item {
                Item::Record(record) if record.code == SET_BLOCK => {
                    about = Some(*record.fields.first()?)
                }
                Item::Record(_) => {}
                Item::Block(block) => self.skip(&block),
                Item::End => return Some(()),
            }
        }
    }

    fn abbreviation(&mut self) -> Option<Abbreviation> {
        let count = self.variable(5)?;
        let mut fields = Vec::new();
        for _ in 0..count {
            fields.push(if self.fixed(1)? == 1 {
                Field::Literal(self.variable(8)?)
            } else {
                match self.fixed(3)? {
                    1 => Field::Fixed(self.small_width()?),
                    2 => Field::Variable(self.small_width()?),
                    3 => Field::Array,
                    4 => Field::Char6,
                    5 => Field::Blob,
                    _ => return None,
                }
            });
        }
        Some(fields)
    }

    fn small_width(&mut self) -> Option<u32> {
        u32::try_from(self.variable(5)?).ok().filter(|w| *w <= 64)
    }

    fn plain(&mut self) -> Option<Record> {
        let code = self.variable(6)?;
        let count = self.variable(6)?;
        let mut fields = Vec::new();
        for _ in 0..count {
            fields.push(self.variable(6)?);
        }
        Some(Record { code, fields, blob: Vec::new() })
    }

    fn abbreviated(&mut self, abbreviation: &Abbreviation) -> Option<Record> {
        let mut fields = Vec::new();
        let mut blob = Vec::new();
        let mut described = abbreviation.iter();
        while let Some(field) = described.next() {
            match field {
                Field::Array => {
                    let element = described.next()?;
                    for _ in 0..self.variable(6)? {
                        fields.push(self.scalar(*element)?);
                    }
                }
                Field::Blob => {
                    let length = usize::try_from(self.variable(6)?).ok()?;
                    self.align();
                    let start = self.at / 8;
                    blob = self.bytes.get(start..start.checked_add(length)?)?.to_vec();
                    self.at += length * 8;
                    self.align();
                }
                scalar => fields.push(self.scalar(*scalar)?),
            }
        }
        if fields.is_empty() {
            return None;
        }
        let code = fields.remove(0);
        Some(Record { code, fields, blob })
    }

    fn scalar(&mut self, field: Field) -> Option<u64> {
        match field {
            Field::Literal(value) => Some(value),
            Field::Fixed(width) => self.fixed(width),
            Field::Variable(0) => Some(0),
            Field::Variable(width) => self.variable(width),
            Field::Char6 => {
                let letters = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
                Some(letters[self.fixed(6)? as usize].into())
            }
            Field::Array | Field::Blob => None,
        }
    }

    fn align(&mut self) {
        self.at = self.at.next_multiple_of(32);
    }

    fn fixed(&mut self, width: u32) -> Option<u64> {
        let end = self.at + width as usize;
        if end > self.bytes.len() * 8 {
            return None;
        }
        let first = self.at / 8;
        let last = end.div_ceil(8).max(first);
        let mut value = 0u128;
        for (n, byte) in self.bytes[first..last].iter().enumerate() {
            value |= u128::from(*byte) << (8 * n);
        }
        value >>= self.at % 8;
        self.at = end;
        Some((value & ((1u128 << width) - 1)) as u64)
    }

    /// Chunks of `width` bits, whose highest bit says that another one follows.
    fn variable(&mut self, width: u32) -> Option<u64> {
        let more = 1u64 << (width - 1);
        let mut value = 0u64;
        let mut shift = 0;
        loop {
            let chunk = self.fixed(width)?;
            value |= (chunk & (more - 1)).checked_shl(shift).unwrap_or(0);
            if chunk & more == 0 {
                return Some(value);
            }
            shift += width - 1;
            if shift > 70 {
                return None;
            }
        }
    }
}

/// Does `holds` hold of any function of a unit? It gets the function's block, and leaves the stream behind that.
pub(crate) fn any_function(
    bitcode: &[u8],
    holds: fn(&mut Bitstream, Block) -> Option<bool>,
) -> Option<bool> {
    const MODULE: u64 = 8;
    const FUNCTION: u64 = 12;
    let (mut stream, mut top) = Bitstream::open(bitcode)?;
    let mut open: Vec<Block> = Vec::new();
    loop {
        let item = stream.next(open.last_mut().unwrap_or(&mut top))?;
        match item {
            Item::Block(block) if block.kind == MODULE && open.is_empty() => open.push(block),
            Item::Block(block) if block.kind == FUNCTION => {
                if holds(&mut stream, block)? {
                    return Some(true);
                }
            }
            Item::Block(block) => stream.skip(&block),
            Item::Record(_) => {}
            Item::End if open.pop().is_some() => {}
            Item::End => return Some(false),
        }
    }
}
