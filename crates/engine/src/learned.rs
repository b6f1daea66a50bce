//! Which locations are shared, as far as all runs so far can tell.
//!
//! Grows only. Its length is its version: a run that started with a shorter one may have taken a shared
//! location for private.

use std::collections::HashMap;
use unpick_model::SharedCell;

#[derive(Clone, Debug, Default)]
pub struct Learned {
    cells: Vec<SharedCell>,
    masks: HashMap<u64, u8>,
}

impl Learned {
    pub fn from_cells(cells: &[SharedCell]) -> Learned {
        let mut learned = Learned::default();
        learned.add(cells);
        learned
    }

    /// True if something was new.
    pub fn add(&mut self, cells: &[SharedCell]) -> bool {
        let before = self.cells.len();
        for cell in cells {
            let mask = self.masks.entry(cell.address).or_insert(0);
            let new = cell.mask & !*mask;
            if new != 0 {
                *mask |= new;
                self.cells.push(SharedCell { address: cell.address, mask: new });
            }
        }
        self.cells.len() > before
    }

    pub fn cells(&self) -> &[SharedCell] {
        &self.cells
    }

    pub fn len(&self) -> usize {
        self.cells.len()
    }

    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }
}
