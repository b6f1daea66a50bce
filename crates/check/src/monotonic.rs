//! Quasi-monotonic partial order reduction (Kahlon, Wang, Gupta: "Monotonic partial order reduction", CAV 2009), which
//! paper 002 uses.
//!
//! Of the interleavings that differ only in the order of independent steps one is kept: the one in which threads come by
//! number as far as possible. A step of a thread may follow one of a thread with a larger number only where a chain of
//! dependent steps leads from that one to it, or to a thread with a smaller number than its own. Whether it does is kept
//! in a matrix: `chains[j][i]` says whether a chain leads from thread j's latest step to thread i's latest.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Chain {
    /// Thread j has done nothing yet.
    Nothing,
    Leads,
    Missing,
}

#[derive(Clone, Debug, Default)]
pub struct Chains(Vec<Vec<Chain>>);

impl Chains {
    fn grow(&mut self, threads: usize) {
        for row in &mut self.0 {
            row.resize(threads, Chain::Missing);
        }
        while self.0.len() < threads {
            self.0.push(vec![Chain::Nothing; threads]);
        }
    }

    fn has_run(&self, thread: usize) -> bool {
        self.0[thread][thread] == Chain::Leads
    }

    /// The matrix after a step of `thread`; `None`: the step comes too late, another order stands for this one.
    /// `depends(l)`: does the step depend on thread l's latest?
    pub fn after(
        &self,
        thread: usize,
        threads: usize,
        depends: impl Fn(usize) -> bool,
    ) -> Option<Chains> {
        let mut next = self.clone();
        next.grow(threads.max(thread + 1));
        let all = next.0.len();
        let depends: Vec<bool> = (0..all)
            .map(|other| next.has_run(other) && (other == thread || depends(other)))
            .collect();
        for from in (0..all).filter(|&from| from != thread) {
            let leads = (0..all).any(|via| next.0[from][via] == Chain::Leads && depends[via]);
            next.0[from][thread] = match (next.has_run(from), leads) {
                (false, _) => Chain::Nothing,
                (true, true) => Chain::Leads,
                (true, false) => Chain::Missing,
            };
        }
        for to in 0..all {
            next.0[thread][to] = if to == thread { Chain::Leads } else { Chain::Missing };
        }
        let in_order = (thread + 1..all).all(|newer| {
            next.0[newer][thread] != Chain::Missing
                || (0..thread).any(|older| next.0[newer][older] == Chain::Leads)
        });
        in_order.then_some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn independent_steps_come_by_number() {
        let start = Chains::default();
        let newer = start.after(2, 3, |_| false).unwrap();
        assert!(newer.after(1, 3, |_| false).is_none());
        assert!(newer.after(1, 3, |other| other == 2).is_some());
        let older = start.after(1, 3, |_| false).unwrap();
        assert!(older.after(2, 3, |_| false).is_some());
    }

    #[test]
    fn a_chain_over_a_third_thread_counts() {
        // 2, then 0 which depends on it, then 1 which depends on neither.
        let chains = Chains::default().after(2, 3, |_| false).unwrap();
        let chains = chains.after(0, 3, |other| other == 2).unwrap();
        assert!(chains.after(1, 3, |_| false).is_some());
    }
}
