//! What a search may ask besides its clauses.

use super::{Literal, Sat};

pub trait Theory {
    /// A literal holds now. Where that cannot be together with what was told before: a clause that fails.
    fn assigned(&mut self, literal: Literal) -> Option<Vec<Literal>>;

    /// A literal, the last one told, no longer holds.
    fn forgotten(&mut self, literal: Literal);

    /// A literal is about to be decided: it, or its opposite where that is less likely to be regretted.
    fn prefers(&self, literal: Literal) -> Literal {
        literal
    }

    /// Everything is assigned: clauses that must hold besides, each with a literal that is new or fails. None: all
    /// is well. New literals come from `sat`, which also tells the values.
    fn complete(&mut self, sat: &mut Sat) -> Vec<Vec<Literal>>;
}

/// Has nothing to say.
pub struct Nothing;

impl Theory for Nothing {
    fn assigned(&mut self, _: Literal) -> Option<Vec<Literal>> {
        None
    }
    fn forgotten(&mut self, _: Literal) {}
    fn complete(&mut self, _: &mut Sat) -> Vec<Vec<Literal>> {
        Vec::new()
    }
}
