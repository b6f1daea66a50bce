//! What a sample at a point consists of: each variable as it is, and as it was at the point's entry.

use crate::variable::{Kind, Variable};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub name: String,
    pub kind: Kind,
    /// As it was at the entry; of a variable as it is, `None`.
    pub original_of: Option<usize>,
    pub sequence: Option<String>,
}

impl Column {
    pub fn is_original(&self) -> bool {
        self.original_of.is_some()
    }
}

/// The variables as they are; at an exit also as they were.
pub fn columns(variables: &[Variable], exit: bool) -> Vec<Column> {
    let now = variables.iter().map(|variable| Column {
        name: variable.name.clone(),
        kind: variable.kind.clone(),
        original_of: None,
        sequence: variable.sequence.clone(),
    });
    let then = variables.iter().enumerate().map(|(number, variable)| Column {
        name: format!("orig({})", variable.name),
        kind: variable.kind.clone(),
        original_of: Some(number),
        sequence: variable.sequence.as_ref().map(|sequence| format!("orig({sequence})")),
    });
    if exit { now.chain(then).collect() } else { now.collect() }
}

/// The elements of an array, by the numbers of their columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sequence {
    pub name: String,
    pub elements: Vec<usize>,
    /// Its elements as they were at the entry.
    pub original: Option<Vec<usize>>,
}

/// Arrays of which at least two elements are observed, next to each other in the list.
pub fn sequences(columns: &[Column]) -> Vec<Sequence> {
    let variables = columns.iter().take_while(|column| !column.is_original()).count();
    let has_originals = columns.len() > variables;
    let mut found: Vec<Sequence> = Vec::new();
    for (number, column) in columns[..variables].iter().enumerate() {
        let Some(name) = &column.sequence else { continue };
        match found.iter_mut().find(|sequence| sequence.name == *name) {
            Some(sequence) => sequence.elements.push(number),
            None => {
                found.push(Sequence { name: name.clone(), elements: vec![number], original: None })
            }
        }
    }
    found.retain(|sequence| sequence.elements.len() > 1);
    for sequence in found.iter_mut().filter(|_| has_originals) {
        sequence.original = Some(sequence.elements.iter().map(|at| at + variables).collect());
    }
    found
}
