//! Types of C for types of the program.
//!
//! What is computed is unsigned, so that it wraps as it does in the program; what lies in memory looks as somebody would
//! have declared it. An aggregate that is computed with is a list of scalars, its leaves.

use unpick_ir::{Float, Layout, Type};

/// Of a value in between; `None`: C has none.
pub(super) fn register(kind: &Type) -> Option<&'static str> {
    Some(match kind {
        Type::Bits(0..=8) => "unsigned char",
        Type::Bits(9..=16) => "unsigned short",
        Type::Bits(17..=32) => "unsigned int",
        Type::Bits(33..=64) => "unsigned long",
        Type::Bits(65..=128) => "unsigned __int128",
        Type::Float(Float::Single) => "float",
        Type::Float(Float::Double) => "double",
        Type::Pointer => "char *",
        _ => return None,
    })
}

/// The same with a sign.
pub(super) fn signed(width: u32) -> &'static str {
    match width {
        0..=8 => "signed char",
        9..=16 => "short",
        17..=32 => "int",
        33..=64 => "long",
        _ => "__int128",
    }
}

/// Of a variable.
pub(super) fn variable(kind: &Type) -> Option<&'static str> {
    Some(match kind {
        Type::Bits(1 | 8) => "signed char",
        Type::Bits(16) => "short",
        Type::Bits(32) => "int",
        Type::Bits(64) => "long",
        Type::Bits(128) => "__int128",
        Type::Float(Float::Single) => "float",
        Type::Float(Float::Double) => "double",
        Type::Pointer => "char *",
        _ => return None,
    })
}

/// What the runtime calls an access of this type: `UNPICK_AT(u32, pointer)`.
pub(super) fn access(kind: &Type) -> Option<&'static str> {
    Some(match kind {
        Type::Bits(1 | 8) => "u8",
        Type::Bits(16) => "u16",
        Type::Bits(32) => "u32",
        Type::Bits(64) => "u64",
        Type::Bits(128) => "u128",
        Type::Float(Float::Single) => "f32",
        Type::Float(Float::Double) => "f64",
        Type::Pointer => "pointer",
        _ => return None,
    })
}

/// A declaration of something in memory: exactly these bytes at exactly these places.
pub(super) fn declaration(kind: &Type, name: &str) -> Option<String> {
    let Type::Aggregate(layout) = kind else {
        return Some(format!("{} {name}", variable(kind)?));
    };
    if layout.members.is_empty() {
        return Some(format!("char {name}[{}]", layout.size.max(1)));
    }
    if is_array(layout) {
        return declaration(&layout.members[0].1, &format!("{name}[{}]", layout.members.len()));
    }
    let mut parts = String::new();
    let mut at = 0;
    for (number, (offset, member)) in layout.members.iter().enumerate() {
        if *offset < at {
            return None;
        }
        if *offset > at {
            parts.push_str(&format!("char p{number}[{}]; ", offset - at));
        }
        parts.push_str(&format!("{}; ", declaration(member, &format!("m{number}"))?));
        at = offset + size(member);
    }
    if layout.size > at {
        parts.push_str(&format!("char p[{}]; ", layout.size - at));
    }
    Some(format!("struct __attribute__((packed)) {{ {parts}}} {name}"))
}

pub(super) fn is_array(layout: &Layout) -> bool {
    let Some((_, first)) = layout.members.first() else { return false };
    let stride = size(first);
    layout.size == stride * layout.members.len() as u64
        && layout
            .members
            .iter()
            .enumerate()
            .all(|(at, (offset, kind))| *offset == at as u64 * stride && kind == first)
}

/// In bytes, where pointers have eight.
pub(super) fn size(kind: &Type) -> u64 {
    match kind {
        Type::Void => 0,
        Type::Bits(width) => u64::from(width.div_ceil(8)),
        Type::Float(float) => u64::from(float.width() / 8),
        Type::Pointer => 8,
        Type::Aggregate(layout) => layout.size,
    }
}

/// The scalars of a value, with where they lie.
pub(super) fn leaves(kind: &Type) -> Vec<(u64, Type)> {
    match kind {
        Type::Void => Vec::new(),
        Type::Aggregate(layout) => {
            let of = |(offset, member): &(u64, Type)| {
                let offset = *offset;
                leaves(member).into_iter().map(move |(at, kind)| (offset + at, kind))
            };
            layout.members.iter().flat_map(of).collect()
        }
        _ => vec![(0, kind.clone())],
    }
}

/// Which leaves a member of a member of … an aggregate has: the first, and how many.
pub(super) fn part(kind: &Type, path: &[u32]) -> Option<(usize, usize)> {
    let Some((first, rest)) = path.split_first() else { return Some((0, leaves(kind).len())) };
    let Type::Aggregate(layout) = kind else { return None };
    let before: usize =
        layout.members.iter().take(*first as usize).map(|(_, kind)| leaves(kind).len()).sum();
    let (at, count) = part(&layout.members.get(*first as usize)?.1, rest)?;
    Some((before + at, count))
}

/// A number of so many bits.
pub(super) fn number(width: u32, value: u128) -> String {
    match width {
        0..=32 => format!("{value}U"),
        33..=64 => format!("{value}UL"),
        _ => {
            let (high, low) = ((value >> 64) as u64, value as u64);
            format!("((unsigned __int128){high}UL << 64 | {low}UL)")
        }
    }
}

pub(super) fn float(float: Float, bits: u128) -> String {
    let (value, suffix) = match float {
        Float::Single => (f64::from(f32::from_bits(bits as u32)), "f"),
        _ => (f64::from_bits(bits as u64), ""),
    };
    match value {
        value if value.is_nan() => format!("__builtin_nan{suffix}(\"\")"),
        value if value.is_infinite() && value < 0.0 => format!("(-__builtin_inf{suffix}())"),
        value if value.is_infinite() => format!("__builtin_inf{suffix}()"),
        value => format!("({value:e}{suffix})"),
    }
}
