//! The numbers and pointers that variables consist of.

use crate::Symbols;
use crate::types::{Scalar, Shape, TypeId, Types};
use std::fmt::Write;
use std::sync::Arc;

/// A number or a pointer, somewhere in a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// `balance`, `queue.items[3].size`; behind a pointer the path alone: `.size`.
    pub name: String,
    /// In the process; behind a pointer from where it points to.
    pub address: u64,
    pub size: u32,
    pub kind: Kind,
    /// The same path without its last index, where it has one: `queue.items[].size`.
    pub sequence: Option<String>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Signed,
    Unsigned,
    Boolean,
    Float,
    Pointer(Option<Pointee>),
    /// Values and their names.
    Enumeration(Arc<[(i64, String)]>),
}

/// What a pointer points to, by its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointee {
    image: usize,
    ty: TypeId,
}

impl Symbols {
    /// The parts of globals that lie in a range of addresses, at least in part.
    pub fn global_leaves(&self, from: u64, to: u64) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        for (number, image) in self.images.iter().enumerate() {
            let (from, to) = (from.wrapping_sub(image.bias), to.wrapping_sub(image.bias));
            let (types, bias) = (&image.types, image.bias);
            for (start, name, ty) in image.globals.within(from, to) {
                let mut walk = Walk { types, image: number, bias, from, to, leaves: &mut leaves };
                walk.visit(ty, start, Path { name: name.to_string(), sequence: None }, 0);
            }
        }
        leaves
    }

    /// The parts of what a pointer points to.
    pub fn pointee_leaves(&self, pointee: Pointee) -> Vec<Leaf> {
        let mut leaves = Vec::new();
        let Pointee { image, ty } = pointee;
        let Some(types) = self.images.get(image).map(|image| &image.types) else { return leaves };
        let to = types.size(ty);
        let mut walk = Walk { types, image, bias: 0, from: 0, to, leaves: &mut leaves };
        walk.visit(ty, 0, Path { name: String::new(), sequence: None }, 0);
        leaves
    }
}

/// Deeper ones are a damaged file's.
const MAX_DEPTH: usize = 32;
/// Nobody reads more.
const MOST: usize = 10_000;

#[derive(Clone)]
struct Path {
    name: String,
    sequence: Option<String>,
}

impl Path {
    fn member(&self, name: Option<&String>) -> Path {
        let mut path = self.clone();
        if let Some(name) = name {
            let _ = write!(path.name, ".{name}");
            if let Some(sequence) = &mut path.sequence {
                let _ = write!(sequence, ".{name}");
            }
        }
        path
    }

    fn element(&self, index: u64) -> Path {
        Path { name: format!("{}[{index}]", self.name), sequence: Some(format!("{}[]", self.name)) }
    }
}

struct Walk<'a> {
    types: &'a Types,
    image: usize,
    bias: u64,
    from: u64,
    to: u64,
    leaves: &'a mut Vec<Leaf>,
}

impl Walk<'_> {
    fn visit(&mut self, ty: TypeId, start: u64, path: Path, depth: usize) {
        if depth > MAX_DEPTH || self.leaves.len() >= MOST {
            return;
        }
        let types = self.types;
        match types.resolved(ty) {
            Shape::Scalar(size, scalar) => self.leaf(*size, scalar, start, path),
            Shape::Array { element, dimensions } => {
                let size = types.size(*element);
                let count =
                    dimensions.iter().try_fold(1u64, |all, count| all.checked_mul((*count)?));
                let Some(count) = count.filter(|_| size > 0) else { return };
                let first = self.from.saturating_sub(start) / size;
                let last = self.to.saturating_sub(start).div_ceil(size).min(count);
                for index in first..last {
                    self.visit(*element, start + index * size, path.element(index), depth + 1);
                }
            }
            Shape::Record { members, .. } => {
                let mut done = 0;
                for member in members {
                    let at = start.saturating_add(member.start);
                    let size = types.size(member.ty);
                    let whole = member.end.is_some_and(|end| end - member.start == size);
                    // Of a union the first member; a bit-field is no number of its own.
                    if !whole || member.start < done || at >= self.to || at + size <= self.from {
                        continue;
                    }
                    done = member.start + size;
                    self.visit(member.ty, at, path.member(member.name.as_ref()), depth + 1);
                }
            }
            Shape::Whole(_) | Shape::Same(_) => {}
        }
    }

    fn leaf(&mut self, size: u64, scalar: &Scalar, start: u64, path: Path) {
        if size == 0 || size > 8 || start >= self.to || start + size <= self.from {
            return;
        }
        let image = self.image;
        let kind = match scalar {
            Scalar::Signed => Kind::Signed,
            Scalar::Unsigned => Kind::Unsigned,
            Scalar::Boolean => Kind::Boolean,
            Scalar::Float => Kind::Float,
            Scalar::Pointer(ty) => Kind::Pointer(ty.map(|ty| Pointee { image, ty })),
            Scalar::Enumeration(names) => Kind::Enumeration(names.clone()),
        };
        self.leaves.push(Leaf {
            name: path.name,
            address: start.wrapping_add(self.bias),
            size: size as u32,
            kind,
            sequence: path.sequence,
        });
    }
}
