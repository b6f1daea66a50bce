//! Natural loops: a block that dominates another one which branches back to it.
//!
//! Cycles that are entered in more than one place are none.

use crate::ir::Block;

pub(crate) struct Loop {
    pub header: usize,
    /// All its blocks, the header included, in their order.
    pub body: Vec<usize>,
}

impl Loop {
    pub fn contains(&self, block: usize) -> bool {
        self.body.binary_search(&block).is_ok()
    }
}

/// One for each header.
pub(crate) fn natural(blocks: &[Block]) -> Vec<Loop> {
    let predecessors = predecessors(blocks);
    let dominators = Dominators::of(blocks, &predecessors);
    let mut loops: Vec<Loop> = Vec::new();
    for header in 0..blocks.len() {
        let is_back = |&latch: &usize| dominators.is_above(header, latch);
        let latches: Vec<usize> = predecessors[header].iter().copied().filter(is_back).collect();
        if !latches.is_empty() {
            loops.push(Loop { header, body: body(header, latches, &predecessors) });
        }
    }
    loops
}

pub(crate) fn predecessors(blocks: &[Block]) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); blocks.len()];
    for (from, block) in blocks.iter().enumerate() {
        for &to in &block.successors {
            if !predecessors[to].contains(&from) {
                predecessors[to].push(from);
            }
        }
    }
    predecessors
}

/// What reaches a latch without passing the header.
fn body(header: usize, latches: Vec<usize>, predecessors: &[Vec<usize>]) -> Vec<usize> {
    let mut is_in = vec![false; predecessors.len()];
    is_in[header] = true;
    let mut open = latches;
    while let Some(block) = open.pop() {
        if !std::mem::replace(&mut is_in[block], true) {
            open.extend(&predecessors[block]);
        }
    }
    (0..is_in.len()).filter(|&block| is_in[block]).collect()
}

/// Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm".
struct Dominators {
    /// The closest one of each block; its own number for the first, none for what is not reached.
    closest: Vec<Option<usize>>,
    /// Position in reverse postorder.
    position: Vec<usize>,
}

impl Dominators {
    fn of(blocks: &[Block], predecessors: &[Vec<usize>]) -> Dominators {
        let order = reverse_postorder(blocks);
        let mut position = vec![usize::MAX; blocks.len()];
        for (at, &block) in order.iter().enumerate() {
            position[block] = at;
        }
        let mut found = Dominators { closest: vec![None; blocks.len()], position };
        if let Some(&first) = order.first() {
            found.closest[first] = Some(first);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for &block in order.iter().skip(1) {
                let known = predecessors[block].iter().filter(|&&p| found.closest[p].is_some());
                let common = known.copied().reduce(|a, b| found.meet(a, b));
                if common != found.closest[block] {
                    found.closest[block] = common;
                    changed = true;
                }
            }
        }
        found
    }

    fn meet(&self, mut a: usize, mut b: usize) -> usize {
        while a != b {
            let lower = if self.position[a] > self.position[b] { &mut a } else { &mut b };
            match self.closest[*lower] {
                Some(above) if above != *lower => *lower = above,
                _ => break,
            }
        }
        a
    }

    /// Does every way to `block` pass `above`?
    fn is_above(&self, above: usize, block: usize) -> bool {
        let mut at = block;
        loop {
            match self.closest[at] {
                _ if at == above => return self.closest[at].is_some(),
                Some(next) if next != at => at = next,
                _ => return false,
            }
        }
    }
}

fn reverse_postorder(blocks: &[Block]) -> Vec<usize> {
    let mut seen = vec![false; blocks.len()];
    let mut order = Vec::new();
    let mut open = Vec::new();
    if !blocks.is_empty() {
        seen[0] = true;
        open.push((0, 0));
    }
    while let Some((block, next)) = open.last_mut() {
        let successor = blocks[*block].successors.get(*next).copied();
        *next += 1;
        match successor {
            Some(to) if !std::mem::replace(&mut seen[to], true) => open.push((to, 0)),
            Some(_) => {}
            None => {
                order.push(*block);
                open.pop();
            }
        }
    }
    order.reverse();
    order
}
