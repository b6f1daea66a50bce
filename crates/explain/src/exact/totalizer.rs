//! How many of some literals hold, counted as far as somebody asks.

use unpick_smt::sat::{Literal, Sat};

enum Node {
    Leaf(Literal),
    Sum { left: usize, right: usize, size: usize, outputs: Vec<Literal> },
}

/// A tree of sums. Output `k` holds if at least `k` of the inputs do; the other direction is left open.
#[derive(Default)]
pub struct Totalizer {
    nodes: Vec<Node>,
}

impl Totalizer {
    pub fn new(inputs: &[Literal]) -> Totalizer {
        let mut totalizer = Totalizer::default();
        totalizer.grow(inputs);
        totalizer
    }

    fn grow(&mut self, inputs: &[Literal]) -> usize {
        if let [only] = inputs {
            self.nodes.push(Node::Leaf(*only));
            return self.nodes.len() - 1;
        }
        let (first, second) = inputs.split_at(inputs.len() / 2);
        let (left, right) = (self.grow(first), self.grow(second));
        self.nodes.push(Node::Sum { left, right, size: inputs.len(), outputs: Vec::new() });
        self.nodes.len() - 1
    }

    fn size(&self, node: usize) -> usize {
        match &self.nodes[node] {
            Node::Leaf(_) => 1,
            Node::Sum { size, .. } => *size,
        }
    }

    /// "At least `count` hold"; `None`: there are not so many.
    pub fn at_least(&mut self, count: usize, sat: &mut Sat) -> Option<Literal> {
        self.output(self.nodes.len().checked_sub(1)?, count, sat)
    }

    fn output(&mut self, node: usize, count: usize, sat: &mut Sat) -> Option<Literal> {
        if count > self.size(node) {
            return None;
        }
        let (left, right, known) = match &self.nodes[node] {
            Node::Leaf(literal) => return Some(*literal),
            Node::Sum { left, right, outputs, .. } => (*left, *right, outputs.len()),
        };
        for next in known + 1..=count {
            let literal = sat.literal(false);
            for mine in 0..=next {
                let (Some(a), Some(b)) =
                    (self.part(left, mine, sat), self.part(right, next - mine, sat))
                else {
                    continue;
                };
                let clause: Vec<Literal> =
                    a.into_iter().chain(b).map(|part| !part).chain([literal]).collect();
                sat.clause(&clause);
            }
            if let Node::Sum { outputs, .. } = &mut self.nodes[node] {
                outputs.push(literal);
            }
        }
        match &self.nodes[node] {
            Node::Sum { outputs, .. } => outputs.get(count - 1).copied(),
            Node::Leaf(_) => None,
        }
    }

    /// What "at least `count`" needs of a part: nothing for 0. `None`: it cannot be.
    fn part(&mut self, node: usize, count: usize, sat: &mut Sat) -> Option<Option<Literal>> {
        if count == 0 { Some(None) } else { self.output(node, count, sat).map(Some) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unpick_smt::sat::{Answer, Nothing};

    #[test]
    fn counts() {
        let mut sat = Sat::new();
        let inputs: Vec<Literal> = (0..7).map(|_| sat.literal(true)).collect();
        let mut totalizer = Totalizer::new(&inputs);
        let three = totalizer.at_least(3, &mut sat).expect("there are seven");
        assert!(totalizer.at_least(8, &mut sat).is_none());
        for number in 0..7 {
            let mut assumptions: Vec<Literal> = inputs[..number].to_vec();
            assumptions.push(!three);
            let possible = sat.solve(&assumptions, &mut Nothing, &|_| false) == Answer::Satisfiable;
            assert_eq!(possible, number < 3, "{number}");
        }
    }
}
