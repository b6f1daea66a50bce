//! Keys for operations, under constraints that come and go.
//!
//! An order is a stable sort of the base order by keys. "a before b" is `key(a) ≤ key(b)` where a comes first in the base
//! order and `key(a) < key(b)` where not; so every demand is a link `key(to) ≥ key(from) + weight` with weight 0 or 1, and
//! links contradict each other exactly if they form a circle with a weight in it. Keys that satisfy all present links
//! are kept up to date, as in solvers for difference logic (Cotton and Maler).

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use unpick_smt::sat::Literal;

#[derive(Clone, Copy, Debug)]
pub struct Link {
    pub from: u32,
    pub to: u32,
    pub weight: i64,
    /// `None`: always there.
    pub literal: Option<Literal>,
}

#[derive(Default)]
pub struct Order {
    keys: Vec<i64>,
    out: Vec<Vec<Link>>,
    /// By literal: what it demands.
    demands: Vec<Vec<Link>>,
    /// How many links of each literal that holds were added, in that order.
    added: Vec<(Literal, u32)>,
    // What follows is only used while a link is added.
    raise: Vec<i64>,
    done: Vec<bool>,
    parent: Vec<Option<Link>>,
    touched: Vec<u32>,
}

fn index(literal: Literal) -> usize {
    2 * literal.number() + usize::from(literal.is_negated())
}

impl Order {
    pub fn new(operations: usize) -> Order {
        Order {
            keys: vec![0; operations],
            out: vec![Vec::new(); operations],
            raise: vec![0; operations],
            done: vec![false; operations],
            parent: vec![None; operations],
            ..Order::default()
        }
    }

    /// A link that is always there. False: it contradicts others of that kind.
    pub fn always(&mut self, from: usize, to: usize, weight: i64) -> bool {
        self.add(Link { from: from as u32, to: to as u32, weight, literal: None }).is_ok()
    }

    /// What `literal` demands when it holds; it must not be assigned yet.
    pub fn demand(&mut self, literal: Literal, from: usize, to: usize, weight: i64) {
        let place = index(literal);
        if self.demands.len() <= place {
            self.demands.resize(place + 1, Vec::new());
        }
        let link = Link { from: from as u32, to: to as u32, weight, literal: Some(literal) };
        self.demands[place].push(link);
    }

    /// Of a literal and its opposite, if both demand something: the one whose demands are met already.
    pub fn easier(&self, literal: Literal) -> Literal {
        let demands = |literal: Literal| {
            self.demands.get(index(literal)).filter(|demands| !demands.is_empty())
        };
        let met = |link: &Link| {
            self.keys[link.from as usize] + link.weight <= self.keys[link.to as usize]
        };
        match (demands(literal), demands(!literal)) {
            (Some(mine), Some(other)) if !mine.iter().all(met) && other.iter().all(met) => !literal,
            _ => literal,
        }
    }

    /// A literal holds: a clause that fails, if its links contradict others.
    pub fn assigned(&mut self, literal: Literal) -> Option<Vec<Literal>> {
        let count = self.demands.get(index(literal)).map_or(0, Vec::len);
        for number in 0..count {
            let link = self.demands[index(literal)][number];
            if let Err(circle) = self.add(link) {
                self.added.push((literal, number as u32));
                return Some(circle);
            }
        }
        if count > 0 {
            self.added.push((literal, count as u32));
        }
        None
    }

    pub fn forgotten(&mut self, literal: Literal) {
        if self.added.last().is_some_and(|(last, _)| *last == literal)
            && let Some((_, count)) = self.added.pop()
        {
            for number in (0..count as usize).rev() {
                let from = self.demands[index(literal)][number].from;
                self.out[from as usize].pop();
            }
        }
    }

    /// Raises keys until the link is satisfied, the greatest need first; the clause of a circle if there is one.
    fn add(&mut self, link: Link) -> Result<(), Vec<Literal>> {
        let (from, to) = (link.from as usize, link.to as usize);
        let need = self.keys[from] + link.weight - self.keys[to];
        if need <= 0 {
            self.out[from].push(link);
            return Ok(());
        }
        let mut heap = BinaryHeap::new();
        self.raise_to(link.to, need, link, &mut heap);
        let mut circle = None;
        while let Some((need, Reverse(node))) = heap.pop() {
            let place = node as usize;
            if self.done[place] || self.raise[place] != need {
                continue;
            }
            if node == link.from {
                circle = Some(self.circle(link.from));
                break;
            }
            self.done[place] = true;
            let key = self.keys[place] + need;
            for next in 0..self.out[place].len() {
                let onward = self.out[place][next];
                let target = onward.to as usize;
                let need = key + onward.weight - self.keys[target];
                if !self.done[target] && need > self.raise[target] {
                    self.raise_to(onward.to, need, onward, &mut heap);
                }
            }
        }
        self.settle(circle.is_none());
        match circle {
            Some(circle) => Err(circle),
            None => {
                self.out[from].push(link);
                Ok(())
            }
        }
    }

    fn raise_to(
        &mut self,
        node: u32,
        need: i64,
        by: Link,
        heap: &mut BinaryHeap<(i64, Reverse<u32>)>,
    ) {
        let place = node as usize;
        if self.raise[place] == 0 {
            self.touched.push(node);
        }
        self.raise[place] = need;
        self.parent[place] = Some(by);
        heap.push((need, Reverse(node)));
    }

    fn settle(&mut self, accept: bool) {
        for node in std::mem::take(&mut self.touched) {
            let place = node as usize;
            if accept {
                self.keys[place] += self.raise[place];
            }
            self.raise[place] = 0;
            self.done[place] = false;
        }
    }

    /// The literals on the way from `start` round to itself, negated.
    fn circle(&self, start: u32) -> Vec<Literal> {
        let mut clause = Vec::new();
        let mut node = start;
        while let Some(link) = self.parent[node as usize] {
            if let Some(literal) = link.literal
                && !clause.contains(&!literal)
            {
                clause.push(!literal);
            }
            node = link.from;
            if node == start {
                break;
            }
        }
        clause
    }

    /// Back to the smallest keys: decisions go by the keys, and should not go where those of old searches led.
    pub fn relax(&mut self) {
        self.keys = self.smallest();
    }

    /// The smallest keys that satisfy all links: as close to the base order as can be.
    pub fn smallest(&self) -> Vec<i64> {
        let mut nodes: Vec<usize> = (0..self.keys.len()).collect();
        nodes.sort_by_key(|&node| self.keys[node]);
        let mut smallest = vec![0i64; nodes.len()];
        let mut seen = vec![false; nodes.len()];
        // Links lead from smaller keys to larger ones, or between equal ones and then without weight.
        for group in nodes.chunk_by(|a, b| self.keys[*a] == self.keys[*b]) {
            let mut group = group.to_vec();
            group.sort_by_key(|&node| Reverse(smallest[node]));
            let mut stack = Vec::new();
            for &start in &group {
                stack.push((start, smallest[start]));
                while let Some((node, value)) = stack.pop() {
                    if std::mem::replace(&mut seen[node], true) {
                        continue;
                    }
                    smallest[node] = value;
                    for link in &self.out[node] {
                        let target = link.to as usize;
                        if !seen[target] && self.keys[target] == self.keys[node] {
                            stack.push((target, value));
                        }
                    }
                }
            }
            for &node in &group {
                for link in &self.out[node] {
                    let target = link.to as usize;
                    if self.keys[target] != self.keys[node] {
                        smallest[target] = smallest[target].max(smallest[node] + link.weight);
                    }
                }
            }
        }
        smallest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use unpick_smt::sat::Sat;

    #[test]
    fn a_circle_with_weight_is_named() {
        let mut sat = Sat::new();
        let literals: Vec<Literal> = (0..3).map(|_| sat.literal(true)).collect();
        let mut order = Order::new(3);
        assert!(order.always(0, 1, 0));
        order.demand(literals[0], 1, 2, 0);
        order.demand(literals[1], 2, 0, 0);
        order.demand(literals[2], 2, 0, 1);
        assert_eq!(order.assigned(literals[0]), None);
        assert_eq!(order.assigned(literals[1]), None, "all alike");
        order.forgotten(literals[1]);
        let circle = order.assigned(literals[2]).expect("it is one");
        assert_eq!(circle.len(), 2);
        assert!(circle.contains(&!literals[0]) && circle.contains(&!literals[2]));
        order.forgotten(literals[2]);
        order.forgotten(literals[0]);
        assert_eq!(order.assigned(literals[2]), None);
        assert_eq!(order.smallest(), [1, 1, 0]);
    }
}
