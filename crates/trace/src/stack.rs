//! Call stacks as people read them, each rendered once.

use std::collections::HashMap;
use unpick_model::{StackId, Trace};

/// Innermost frames that an export shows; a recursion may be a hundred thousand deep.
const FRAMES: usize = 64;

#[derive(Default)]
pub(crate) struct Stacks {
    seen: HashMap<(u64, StackId), Vec<String>>,
}

impl Stacks {
    /// `function (file:line)`, innermost first; frames without debug information are left out.
    pub(crate) fn lines(&mut self, trace: &Trace, pc: u64, stack: StackId) -> &[String] {
        self.seen.entry((pc, stack)).or_insert_with(|| {
            let chain = trace.call_chain(pc, stack);
            let mut places = chain.iter().filter_map(|pc| trace.places.get(pc));
            let mut lines: Vec<String> = places
                .by_ref()
                .take(FRAMES)
                .map(|place| format!("{} ({}:{})", place.function, place.file, place.line))
                .collect();
            let more = places.count();
            if more > 0 {
                lines.push(format!("… {more} more"));
            }
            lines
        })
    }
}
