//! Which thread goes first where several may.

/// The order in which the threads of a state are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// By number, from the one after the running thread on.
    RoundRobin,
    /// By number, the running thread first: paper 002's order before.
    Ascending,
    /// Paper 002's policy: newer threads first, the oldest of them; else the newest of the others.
    #[default]
    Reverse,
}

impl Order {
    /// The next of `eligible` (ascending) after `current` has run.
    pub fn choose(self, current: usize, eligible: &[usize]) -> Option<usize> {
        let newer = eligible.iter().copied().find(|&thread| thread > current);
        match self {
            Order::Ascending => eligible.first().copied(),
            Order::RoundRobin => newer.or_else(|| eligible.first().copied()),
            Order::Reverse => newer.or_else(|| eligible.last().copied()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_papers_policy() {
        let choose = |current, eligible: &[usize]| Order::Reverse.choose(current, eligible);
        // The smallest of the newer ones.
        assert_eq!(choose(1, &[0, 1, 3, 4]), Some(3));
        // No newer one: the largest, which may be the running thread itself.
        assert_eq!(choose(4, &[0, 1, 3, 4]), Some(4));
        assert_eq!(choose(4, &[0, 1, 3]), Some(3));
        assert_eq!(choose(2, &[]), None);
    }

    #[test]
    fn the_others() {
        assert_eq!(Order::RoundRobin.choose(1, &[0, 1, 3]), Some(3));
        assert_eq!(Order::RoundRobin.choose(3, &[0, 1, 3]), Some(0));
        assert_eq!(Order::Ascending.choose(3, &[0, 1, 3]), Some(0));
    }
}
