//! What the machine wants to know about a function before it executes it.

use unpick_ir::flow::{postdominators, successors};
use unpick_ir::{BlockId, Function};

/// The jumps that close a loop, by the loop's head.
#[derive(Clone, Debug, Default)]
pub struct Flow {
    back: Vec<Vec<BlockId>>,
    /// Where the ways out of each block meet again.
    rejoins: Vec<Option<BlockId>>,
}

impl Flow {
    pub fn of(function: &Function) -> Flow {
        let count = function.blocks.len();
        let mut back = vec![Vec::new(); count];
        if count == 0 {
            return Flow { back, rejoins: Vec::new() };
        }
        // Depth first; an edge to a block that is still open closes a loop.
        let mut seen = vec![false; count];
        let mut open = vec![false; count];
        let mut stack = vec![(0, successors(&function.blocks[0]))];
        (seen[0], open[0]) = (true, true);
        while let Some((block, rest)) = stack.last_mut() {
            let block = *block;
            let Some(next) = rest.pop() else {
                open[block] = false;
                stack.pop();
                continue;
            };
            let to = next.0 as usize;
            if open[to] {
                back[to].push(BlockId(block as u32));
            } else if !seen[to] {
                (seen[to], open[to]) = (true, true);
                stack.push((to, successors(&function.blocks[to])));
            }
        }
        Flow { back, rejoins: postdominators(function) }
    }

    pub fn rejoins(&self, block: BlockId) -> Option<BlockId> {
        self.rejoins[block.0 as usize].filter(|join| *join != block)
    }

    pub fn closes_loop(&self, from: BlockId, to: BlockId) -> bool {
        self.back[to.0 as usize].contains(&from)
    }
}
