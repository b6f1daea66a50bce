//! Heap blocks, named by who allocated them where, and as the how-manieth there.
//!
//! Addresses of blocks change with the schedule; thread, site and ordinal do not.

use std::collections::{BTreeMap, HashMap};
use unpick_model::ThreadId;

struct Block {
    size: u64,
    thread: ThreadId,
    /// Position in `sites`.
    site: usize,
    ordinal: u32,
    /// How many blocks came before it.
    number: u64,
}

#[derive(Default)]
pub(crate) struct Heap {
    /// By address. A freed block keeps its name until its memory is used again, so that a use after
    /// the free can be told.
    blocks: BTreeMap<u64, Block>,
    sites: Vec<String>,
    numbers: HashMap<String, usize>,
    ordinals: HashMap<(ThreadId, usize), u32>,
    allocated: u64,
}

impl Heap {
    /// `site` is `list.c:12`.
    pub(crate) fn allocate(&mut self, thread: ThreadId, site: &str, address: u64, size: u64) {
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
        let site = match self.numbers.get(site) {
            Some(&number) => number,
            None => {
                self.sites.push(site.to_string());
                self.numbers.insert(site.to_string(), self.sites.len() - 1);
                self.sites.len() - 1
            }
        };
        let next = self.ordinals.entry((thread, site)).or_insert(0);
        let (ordinal, number) = (*next, self.allocated);
        *next += 1;
        self.allocated += 1;
        self.blocks.insert(address, Block { size, thread, site, ordinal, number });
    }

    /// Which block an address lies in, and the offset inside.
    pub(crate) fn find(&self, address: u64) -> Option<(u64, u64)> {
        let (start, block) = self.blocks.range(..=address).next_back()?;
        let offset = address - start;
        (offset < block.size.max(1)).then_some((block.number, offset))
    }

    /// The name of an address in a block.
    pub(crate) fn name(&self, address: u64) -> Option<String> {
        let (start, Block { thread, site, ordinal, .. }) =
            self.blocks.range(..=address).next_back()?;
        let name = format!("heap({thread}, {})#{ordinal}", self.sites[*site]);
        Some(match address - start {
            0 => name,
            offset => format!("{name}+{offset}"),
        })
    }
}
