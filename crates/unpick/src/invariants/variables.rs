//! The variables that are observed: those that threads share, and what shared pointers point to as far as that is
//! shared, too.

use unpick_engine::Learned;
use unpick_invariants::{Kind, Location, Names, Places, Variable};
use unpick_model::Place;
use unpick_symbols::{Leaf, Symbols};

/// More variables than this are not observed at a point.
const MOST: usize = 1000;
/// Pointers are followed so many times, for a list has no end; each time only as long as there are no more variables.
const BEHIND: [usize; 2] = [MOST, 200];
/// Of an array that is longer nothing is said element by element.
const LONGEST_ARRAY: usize = 64;

pub struct Named<'a>(pub &'a Symbols);

impl Places for Named<'_> {
    fn place(&self, return_pc: u64) -> Option<Place> {
        self.0.place(return_pc)
    }
}

impl Names for Named<'_> {
    fn address(&self, address: u64) -> Option<String> {
        let data = self.0.target(address);
        data.or_else(|| self.0.function(address)).filter(|name| !name.contains('+'))
    }
}

pub fn variables(symbols: &Symbols, learned: &Learned) -> Vec<Variable> {
    let mut leaves: Vec<Leaf> = Vec::new();
    for range in learned.ranges() {
        leaves.extend(symbols.global_leaves(range.address, range.address + range.bytes));
    }
    leaves.sort_by_key(|leaf| leaf.address);
    leaves.dedup_by_key(|leaf| leaf.address);
    drop_long_arrays(&mut leaves);
    leaves.truncate(MOST);
    let mut variables: Vec<Variable> = Vec::new();
    for leaf in &leaves {
        variables.push(variable(leaf, leaf.name.clone(), Location::Fixed(leaf.address)));
    }
    let mut from = 0;
    for most in BEHIND {
        let known = leaves.len();
        for pointer in from..known {
            follow(symbols, pointer, &mut leaves, &mut variables, most);
        }
        from = known;
    }
    variables
}

/// Adds what a pointer points to, as long as there are fewer than `most` variables.
fn follow(
    symbols: &Symbols,
    pointer: usize,
    leaves: &mut Vec<Leaf>,
    variables: &mut Vec<Variable>,
    most: usize,
) {
    let unpick_symbols::Kind::Pointer(Some(pointee)) = leaves[pointer].kind else { return };
    let mut behind = symbols.pointee_leaves(pointee);
    drop_long_arrays(&mut behind);
    if variables.len() + behind.len() > most {
        return;
    }
    for part in behind {
        let outer = &variables[pointer].name;
        let behind = |path: &str| match path.strip_prefix('.') {
            Some(member) => format!("{outer}->{member}"),
            None if path.is_empty() => format!("*{outer}"),
            None => format!("(*{outer}){path}"),
        };
        let (name, sequence) = (behind(&part.name), part.sequence.as_deref().map(behind));
        let location = Location::Behind { pointer, offset: part.address };
        variables.push(Variable { sequence, ..variable(&part, name, location) });
        leaves.push(part);
    }
}

fn drop_long_arrays(leaves: &mut Vec<Leaf>) {
    let mut lengths = std::collections::HashMap::new();
    for name in leaves.iter().filter_map(|leaf| leaf.sequence.clone()) {
        *lengths.entry(name).or_insert(0usize) += 1;
    }
    leaves.retain(|leaf| leaf.sequence.as_ref().is_none_or(|name| lengths[name] <= LONGEST_ARRAY));
}

fn variable(leaf: &Leaf, name: String, location: Location) -> Variable {
    let kind = match &leaf.kind {
        unpick_symbols::Kind::Signed => Kind::Signed,
        unpick_symbols::Kind::Unsigned => Kind::Unsigned,
        unpick_symbols::Kind::Boolean => Kind::Boolean,
        unpick_symbols::Kind::Float => Kind::Float,
        unpick_symbols::Kind::Pointer(_) => Kind::Pointer,
        unpick_symbols::Kind::Enumeration(names) => Kind::Enumeration(names.clone()),
    };
    Variable { name, kind, location, size: leaf.size, sequence: leaf.sequence.clone() }
}
