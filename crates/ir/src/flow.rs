//! Where control can go: successors, loops, dominators and postdominators.

use crate::program::{Block, BlockId, Function, Terminator};

/// The blocks that may come next, each once.
pub fn successors(block: &Block) -> Vec<BlockId> {
    let mut next = match &block.terminator {
        Terminator::Jump(target) => vec![*target],
        Terminator::Branch { then, otherwise, .. } => vec![*then, *otherwise],
        Terminator::Switch { cases, default, .. } => {
            cases.iter().map(|(_, target)| *target).chain([*default]).collect()
        }
        Terminator::Invoke { normal, unwind, .. } => vec![*normal, *unwind],
        Terminator::Return(_) | Terminator::Unreachable | Terminator::Unsupported(_) => Vec::new(),
    };
    let mut seen = std::collections::HashSet::new();
    next.retain(|block| seen.insert(*block));
    next
}

pub fn predecessors(function: &Function) -> Vec<Vec<BlockId>> {
    let mut before = vec![Vec::new(); function.blocks.len()];
    for (at, block) in function.blocks.iter().enumerate() {
        for next in successors(block) {
            before[next.0 as usize].push(BlockId(at as u32));
        }
    }
    before
}

/// A loop's head is where a depth-first walk from the function's entry returns to a block that it is still in.
///
/// A block that dominates one of its predecessors is on every walk's way there, so natural loops are found whatever the
/// walk's order; in a loop with several entries it is one of those. No circle is without a head.
pub(crate) fn mark_loops(function: &mut Function) {
    let next: Vec<Vec<BlockId>> = function.blocks.iter().map(successors).collect();
    for target in depth_first(&next).retreats {
        function.blocks[target].loop_head = true;
    }
}

struct Walk {
    /// Blocks in the order in which the walk left them.
    postorder: Vec<usize>,
    /// Where it met a block that it was in.
    retreats: Vec<usize>,
}

fn depth_first(next: &[Vec<BlockId>]) -> Walk {
    walk(0, next.len(), |block| next[block].iter().map(|next| next.0 as usize).collect())
}

/// Not recursive: functions can have many blocks.
fn walk(start: usize, count: usize, next: impl Fn(usize) -> Vec<usize>) -> Walk {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Inside,
        Left,
    }
    let mut found = Walk { postorder: Vec::new(), retreats: Vec::new() };
    let mut marks = vec![Mark::New; count];
    if start >= count {
        return found;
    }
    marks[start] = Mark::Inside;
    let mut stack = vec![(start, next(start).into_iter())];
    while let Some((block, rest)) = stack.last_mut() {
        match rest.next() {
            None => {
                marks[*block] = Mark::Left;
                found.postorder.push(*block);
                stack.pop();
            }
            Some(target) if marks[target] == Mark::Inside => found.retreats.push(target),
            Some(target) if marks[target] == Mark::New => {
                marks[target] = Mark::Inside;
                stack.push((target, next(target).into_iter()));
            }
            Some(_) => {}
        }
    }
    found
}

/// The block through which every way from the entry leads last, for each block; none for the entry and for what
/// cannot be reached.
pub fn dominators(function: &Function) -> Vec<Option<BlockId>> {
    let forth: Vec<Vec<usize>> = function.blocks.iter().map(|b| plain(successors(b))).collect();
    let back = predecessors(function).into_iter().map(plain).collect();
    immediate(0, &forth, back)
}

/// The block through which every way to the function's return leads first, for each block; none where there is no such
/// block. Ways that end where no return is (`abort()`) are not counted: nothing rejoins there.
pub fn postdominators(function: &Function) -> Vec<Option<BlockId>> {
    let count = function.blocks.len();
    // One end behind all ends.
    let mut forth: Vec<Vec<usize>> = function.blocks.iter().map(|b| plain(successors(b))).collect();
    let mut back: Vec<Vec<usize>> = predecessors(function).into_iter().map(plain).collect();
    let is_end = |at: &usize| {
        let end = &function.blocks[*at].terminator;
        matches!(end, Terminator::Return(_) | Terminator::Unsupported(_))
    };
    let ends: Vec<usize> = (0..count).filter(is_end).collect();
    for end in &ends {
        forth[*end].push(count);
    }
    forth.push(Vec::new());
    back.push(ends);
    let mut found = immediate(count, &back, forth);
    found.truncate(count);
    found.into_iter().map(|block| block.filter(|block| block.0 as usize != count)).collect()
}

fn plain(blocks: Vec<BlockId>) -> Vec<usize> {
    blocks.into_iter().map(|block| block.0 as usize).collect()
}

/// Immediate dominators by iteration (Cooper, Harvey and Kennedy).
fn immediate(root: usize, forth: &[Vec<usize>], back: Vec<Vec<usize>>) -> Vec<Option<BlockId>> {
    let order = walk(root, forth.len(), |block| forth[block].clone()).postorder;
    let mut rank = vec![None; forth.len()];
    for (at, &block) in order.iter().enumerate() {
        rank[block] = Some(at);
    }
    let mut found: Vec<Option<usize>> = vec![None; forth.len()];
    if let Some(root) = found.get_mut(root) {
        *root = order.last().copied();
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &block in order.iter().rev().skip(1) {
            let known = back[block].iter().copied().filter(|before| found[*before].is_some());
            let meet = known.reduce(|left, right| meet(left, right, &rank, &found));
            if found[block] != meet {
                found[block] = meet;
                changed = true;
            }
        }
    }
    let above = |(at, found): (usize, Option<usize>)| {
        found.filter(|_| at != root).map(|block| BlockId(block as u32))
    };
    found.into_iter().enumerate().map(above).collect()
}

fn meet(
    mut left: usize,
    mut right: usize,
    rank: &[Option<usize>],
    found: &[Option<usize>],
) -> usize {
    while left != right {
        // The one that was left earlier is deeper.
        let deeper = if rank[left] < rank[right] { &mut left } else { &mut right };
        match found[*deeper] {
            Some(above) => *deeper = above,
            None => break,
        }
    }
    left
}
