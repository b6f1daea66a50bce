//! LLVM's types into ours, with where members lie.

use crate::llvm::{Kind, Module, TypeKind};
use crate::program::{Float, Layout, Type};
use std::collections::HashMap;
use std::rc::Rc;

/// Longer arrays are not spelled out: nobody works on them as a value.
const MOST_ELEMENTS: u64 = 1 << 16;

pub(crate) struct Types<'m> {
    module: &'m Module,
    layouts: HashMap<Kind, Rc<Layout>>,
}

impl<'m> Types<'m> {
    pub fn new(module: &'m Module) -> Types<'m> {
        Types { module, layouts: HashMap::new() }
    }

    pub fn translate(&mut self, kind: Kind) -> Type {
        match kind.what() {
            TypeKind::LLVMIntegerTypeKind => Type::Bits(kind.width()),
            TypeKind::LLVMPointerTypeKind => Type::Pointer,
            TypeKind::LLVMStructTypeKind
            | TypeKind::LLVMArrayTypeKind
            | TypeKind::LLVMVectorTypeKind => Type::Aggregate(self.layout(kind)),
            // Floats that are only moved about.
            TypeKind::LLVMFP128TypeKind
            | TypeKind::LLVMPPC_FP128TypeKind
            | TypeKind::LLVMBFloatTypeKind
            | TypeKind::LLVMX86_MMXTypeKind => Type::Bits(self.module.bits(kind) as u32),
            _ => float(kind).map_or(Type::Void, Type::Float),
        }
    }

    pub fn layout(&mut self, kind: Kind) -> Rc<Layout> {
        if let Some(layout) = self.layouts.get(&kind) {
            return layout.clone();
        }
        let members = match length(kind) {
            Some(length) if length > MOST_ELEMENTS => Vec::new(),
            Some(length) => self.elements(kind, length),
            None => self.members(kind),
        };
        let layout = Rc::new(Layout { size: self.module.size(kind), members });
        self.layouts.insert(kind, layout.clone());
        layout
    }

    /// The layout of an array whose elements are all there, however many.
    pub fn full_layout(&mut self, kind: Kind, count: u64) -> Rc<Layout> {
        match length(kind) {
            Some(length) if length > MOST_ELEMENTS => {
                let members = self.elements(kind, count.min(length));
                Rc::new(Layout { size: self.module.size(kind), members })
            }
            _ => self.layout(kind),
        }
    }

    fn elements(&mut self, kind: Kind, length: u64) -> Vec<(u64, Type)> {
        let element = self.translate(kind.element());
        let stride = self.stride(kind);
        (0..length).map(|at| (at * stride, element.clone())).collect()
    }

    fn members(&mut self, kind: Kind) -> Vec<(u64, Type)> {
        // Of a structure that is only declared nothing is known.
        if !kind.is_sized() {
            return Vec::new();
        }
        (0..kind.member_count())
            .map(|at| (self.module.member_offset(kind, at), self.translate(kind.member(at))))
            .collect()
    }

    /// How far apart the elements of an array or a vector lie.
    fn stride(&self, kind: Kind) -> u64 {
        match kind.what() {
            TypeKind::LLVMVectorTypeKind => self.module.bits(kind.element()).div_ceil(8),
            _ => self.module.size(kind.element()),
        }
    }

    /// Whether a whole value of this type can be loaded and stored member by member: elements of a vector may
    /// share bytes.
    pub fn is_storable(&self, kind: Kind) -> bool {
        match length(kind) {
            Some(_) if kind.what() == TypeKind::LLVMVectorTypeKind => {
                self.module.bits(kind.element()).is_multiple_of(8)
            }
            Some(length) => length <= MOST_ELEMENTS && self.is_storable(kind.element()),
            None if kind.what() == TypeKind::LLVMStructTypeKind => {
                (0..kind.member_count()).all(|at| self.is_storable(kind.member(at)))
            }
            None => true,
        }
    }
}

fn length(kind: Kind) -> Option<u64> {
    match kind.what() {
        TypeKind::LLVMArrayTypeKind => Some(kind.array_length()),
        TypeKind::LLVMVectorTypeKind => Some(kind.vector_length()),
        _ => None,
    }
}

pub(crate) fn float(kind: Kind) -> Option<Float> {
    match kind.what() {
        TypeKind::LLVMHalfTypeKind => Some(Float::Half),
        TypeKind::LLVMFloatTypeKind => Some(Float::Single),
        TypeKind::LLVMDoubleTypeKind => Some(Float::Double),
        TypeKind::LLVMX86_FP80TypeKind => Some(Float::Extended),
        // Vectors are computed with element by element.
        TypeKind::LLVMVectorTypeKind => float(kind.element()),
        _ => None,
    }
}
