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
        Terminator::Return(_)
        | Terminator::Resume(_)
        | Terminator::Unreachable
        | Terminator::Unsupported(_) => Vec::new(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::{Constant, Operand, Place, Type};

    /// A function of so many blocks whose ends are given.
    fn function(ends: Vec<Terminator>) -> Function {
        let block = |terminator| Block {
            phis: Vec::new(),
            instructions: Vec::new(),
            terminator,
            end: Place::default(),
            loop_head: false,
        };
        Function {
            name: String::new(),
            pretty: None,
            result: Type::Void,
            parameters: Vec::new(),
            variadic: false,
            registers: Vec::new(),
            blocks: ends.into_iter().map(block).collect(),
            place: Place::default(),
        }
    }

    fn branch(then: u32, otherwise: u32) -> Terminator {
        let condition = Operand::Constant(Constant::Bits { width: 1, value: 0 });
        Terminator::Branch { condition, then: BlockId(then), otherwise: BlockId(otherwise) }
    }

    /// Small graphs of all shapes, from a fixed sequence of numbers.
    fn graphs() -> Vec<Function> {
        let mut state = 1u64;
        let mut below = move |most: u64| {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            ((state >> 33) % most) as u32
        };
        let mut graph = |blocks: u32| {
            let ends = (0..blocks).map(|_| match below(6) {
                0 => Terminator::Return(None),
                1 => Terminator::Unreachable,
                2 => Terminator::Jump(BlockId(below(u64::from(blocks)))),
                _ => branch(below(u64::from(blocks)), below(u64::from(blocks))),
            });
            function(ends.collect())
        };
        (0..3000).map(|number| graph(number % 9 + 1)).collect()
    }

    fn reaches(next: &[Vec<usize>], from: usize, without: Option<usize>) -> Vec<bool> {
        let mut seen = vec![false; next.len()];
        let mut open = vec![from];
        while let Some(block) = open.pop() {
            if Some(block) != without && !std::mem::replace(&mut seen[block], true) {
                open.extend(&next[block]);
            }
        }
        seen
    }

    fn next_of(function: &Function) -> Vec<Vec<usize>> {
        function.blocks.iter().map(|block| plain(successors(block))).collect()
    }

    /// By the definition: the strict dominator that all other strict dominators dominate.
    fn by_definition(next: &[Vec<usize>], root: usize) -> Vec<Option<usize>> {
        let all = reaches(next, root, None);
        let dominates = |above: usize, block: usize| {
            above == block || (all[block] && !reaches(next, root, Some(above))[block])
        };
        let strict = |block: usize| {
            let blocks = (0..next.len()).filter(move |above| *above != block);
            blocks.filter(|above| all[*above] && dominates(*above, block)).collect::<Vec<_>>()
        };
        (0..next.len())
            .map(|block| {
                let above = if all[block] { strict(block) } else { Vec::new() };
                above.iter().copied().find(|one| above.iter().all(|other| dominates(*other, *one)))
            })
            .collect()
    }

    #[test]
    fn dominators_are_as_defined() {
        for function in graphs() {
            let found: Vec<_> =
                dominators(&function).iter().map(|it| it.map(|block| block.0 as usize)).collect();
            assert_eq!(found, by_definition(&next_of(&function), 0), "{:?}", next_of(&function));
        }
    }

    #[test]
    fn postdominators_are_as_defined() {
        for function in graphs() {
            let next = next_of(&function);
            let end = next.len();
            let mut back = vec![Vec::new(); end + 1];
            for (from, targets) in next.iter().enumerate() {
                targets.iter().for_each(|to| back[*to].push(from));
                if matches!(function.blocks[from].terminator, Terminator::Return(_)) {
                    back[end].push(from);
                }
            }
            let mut expected = by_definition(&back, end);
            expected.truncate(end);
            let expected: Vec<_> = expected.iter().map(|it| it.filter(|it| *it != end)).collect();
            let found: Vec<_> = postdominators(&function)
                .iter()
                .map(|it| it.map(|block| block.0 as usize))
                .collect();
            assert_eq!(found, expected, "{next:?}");
        }
    }

    #[test]
    fn every_circle_has_a_head_and_no_other_block_is_one() {
        for mut function in graphs() {
            mark_loops(&mut function);
            let next = next_of(&function);
            let is_head = |block: usize| function.blocks[block].loop_head;
            let above = by_definition(&next, 0);
            for (block, is_reached) in reaches(&next, 0, None).into_iter().enumerate() {
                let returns = |without: &[Vec<usize>]| {
                    without[block].iter().any(|to| reaches(without, *to, None)[block])
                };
                assert!(!is_head(block) || (is_reached && returns(&next)), "{next:?}");
                // A way around that avoids all heads.
                let headless: Vec<Vec<usize>> = (0..next.len())
                    .map(|at| if is_head(at) { Vec::new() } else { next[at].clone() })
                    .collect();
                assert!(!is_reached || is_head(block) || !returns(&headless), "{next:?}");
                for &to in next[block].iter().filter(|_| is_reached) {
                    let mut chain = std::iter::successors(Some(block), |at| above[*at]);
                    assert!(is_head(to) || !chain.any(|at| at == to), "a natural loop: {next:?}");
                }
            }
        }
    }
}
