//! Heap blocks, named by who allocated them where, and as the how-manieth there.
//!
//! Addresses of blocks change with the schedule; thread, site and ordinal do not.

use std::collections::{BTreeMap, HashMap};
use unpick_model::ThreadId;

struct Block {
    size: u64,
    /// Position in `names`.
    number: usize,
}

#[derive(Default)]
pub(crate) struct Heap {
    /// By address. A freed block keeps its name until its memory is used again, so that a use after
    /// the free can be told.
    blocks: BTreeMap<u64, Block>,
    names: Vec<String>,
    ordinals: HashMap<(ThreadId, String), u32>,
}

impl Heap {
    /// `site` is `list.c:12`.
    pub(crate) fn allocate(&mut self, thread: ThreadId, site: String, address: u64, size: u64) {
        let end = address.saturating_add(size.max(1));
        if let Some((&before, block)) = self.blocks.range(..address).next_back()
            && before.saturating_add(block.size) > address
        {
            self.blocks.remove(&before);
        }
        let within: Vec<u64> = self.blocks.range(address..end).map(|(start, _)| *start).collect();
        for start in within {
            self.blocks.remove(&start);
        }
        let name = format!("heap({thread}, {site})");
        let ordinal = self.ordinals.entry((thread, site)).or_insert(0);
        self.names.push(format!("{name}#{ordinal}"));
        *ordinal += 1;
        self.blocks.insert(address, Block { size, number: self.names.len() - 1 });
    }

    /// The block at an address, and the offset inside.
    pub(crate) fn find(&self, address: u64) -> Option<(usize, u64)> {
        let (start, block) = self.blocks.range(..=address).next_back()?;
        let offset = address - start;
        (offset < block.size.max(1)).then_some((block.number, offset))
    }

    pub(crate) fn name(&self, number: usize, offset: u64) -> String {
        match offset {
            0 => self.names[number].clone(),
            offset => format!("{}+{offset}", self.names[number]),
        }
    }
}
