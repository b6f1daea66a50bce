//! Errors with memory of the heap, in words: what was about to happen, and where the block came from.

use crate::places::ShortNames;
use crate::text::clean;
use crate::wording::object_name;
use unpick_model::{FindingKind, HeapError, HeapMisuse, HeapSite, HeapUse, Trace};

pub(crate) fn kind(misuse: HeapMisuse) -> FindingKind {
    match misuse {
        HeapMisuse::UseAfterFree => FindingKind::UseAfterFree,
        HeapMisuse::DoubleFree => FindingKind::DoubleFree,
        HeapMisuse::OutOfBounds => FindingKind::OutOfBounds,
        HeapMisuse::InvalidFree => FindingKind::InvalidFree,
    }
}

/// As a site's operation.
pub(crate) fn operation(what: HeapUse) -> &'static str {
    match what {
        HeapUse::Read => "read",
        HeapUse::Write => "write",
        HeapUse::Update => "atomic",
        HeapUse::Synchronise => "synchronise",
        HeapUse::Free => "free",
    }
}

/// `reads 4 bytes at offset 8 of a block of 16 bytes`.
pub(crate) fn what(trace: &Trace, error: &HeapError) -> String {
    let block = format!("a block of {}", bytes(error.block_size));
    let inside = error.address.checked_sub(error.block).filter(|_| error.block != 0);
    match (error.misuse, inside) {
        (HeapMisuse::DoubleFree, _) => return format!("frees {block} again"),
        (HeapMisuse::InvalidFree, Some(offset)) => {
            return format!("frees offset {offset} of {block}, not its beginning");
        }
        (HeapMisuse::InvalidFree, None) => {
            let name = object_name(trace, error.name, error.address);
            return format!("frees {name}, which is no block of the heap");
        }
        _ => {}
    }
    let doing = match error.what {
        HeapUse::Read => "reads",
        HeapUse::Write => "writes",
        HeapUse::Update => "changes",
        HeapUse::Synchronise | HeapUse::Free => "uses",
    };
    let doing = match (error.what, error.size) {
        (HeapUse::Synchronise, _) => "uses a lock or its like".to_string(),
        (_, 0) => doing.to_string(),
        (_, size) => format!("{doing} {}", bytes(size.into())),
    };
    match inside {
        _ if error.block == 0 => format!("{doing} of memory that was freed long ago"),
        Some(0) => format!("{doing} at the beginning of {block}"),
        Some(offset) if offset >= error.block_size && error.misuse == HeapMisuse::OutOfBounds => {
            match offset - error.block_size {
                0 => format!("{doing} right behind {block}"),
                behind => format!("{doing} {} behind {block}", bytes(behind)),
            }
        }
        Some(offset) => format!("{doing} at offset {offset} of {block}"),
        None => {
            let before = error.block - error.address;
            format!("{doing} {} before {block}", bytes(before))
        }
    }
}

/// `allocated by T0 at list.c:12 in main`, and the same for the free.
pub(crate) fn history(trace: &Trace, error: &HeapError, names: &ShortNames<'_>) -> Vec<String> {
    if error.block == 0 {
        return Vec::new();
    }
    let mut lines = match error.allocated {
        Some(site) => vec![format!("allocated by {}", at(trace, site, names))],
        None => vec!["allocated before main".to_string()],
    };
    lines.extend(error.freed.map(|site| format!("freed by {}", at(trace, site, names))));
    lines
}

fn at(trace: &Trace, site: HeapSite, names: &ShortNames<'_>) -> String {
    let thread = site.thread;
    match trace.user_place(site.pc, site.stack) {
        Some(place) => {
            let function = clean(&place.function);
            format!("{thread} at {}:{} in {function}", names.of(&place.file), place.line)
        }
        None => thread.to_string(),
    }
}

fn bytes(count: u64) -> String {
    if count == 1 { "1 byte".into() } else { format!("{count} bytes") }
}
