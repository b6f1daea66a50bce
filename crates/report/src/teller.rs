//! A run event by event, in the words of [`crate::interleaving()`], for whoever lays it out otherwise.

use crate::interleaving::{ShowOptions, is_shown, thread_name};
use crate::operations::Words;
use crate::places::ShortNames;
use crate::value::{bytes_text, value};
use unpick_model::{ThreadId, Trace};

pub struct Teller<'a> {
    trace: &'a Trace,
    words: Words<'a>,
    files: ShortNames<'a>,
}

impl<'a> Teller<'a> {
    pub fn new(trace: &'a Trace) -> Teller<'a> {
        Teller { trace, words: Words::new(trace), files: ShortNames::new(trace) }
    }

    /// The event is no bookkeeping and nobody's private affair.
    pub fn is_shown(&self, index: usize) -> bool {
        is_shown(self.trace, &self.trace.events[index], &ShowOptions::default())
    }

    /// `balance: 100 -> 70`.
    pub fn operation(&self, index: usize) -> String {
        self.words.operation(&self.trace.events[index], self.trace.wide(index))
    }

    /// What a name and an address are called.
    pub fn object(&self, name: u32, address: u64) -> String {
        self.words.object(name, address)
    }

    pub fn mutex(&self, address: u64) -> String {
        self.words.mutex(address)
    }

    /// `T1 withdraw`.
    pub fn thread(&self, thread: ThreadId) -> String {
        thread_name(self.trace, thread)
    }

    /// As much of a path as tells the files apart.
    pub fn file(&self, file: &str) -> String {
        self.files.of(file)
    }
}

/// Bytes of memory, as [`Teller::operation`] shows them: up to eight are a number.
pub fn value_text(bytes: &[u8]) -> String {
    let mut word = [0; 8];
    match word.get_mut(..bytes.len()) {
        Some(part) => {
            part.copy_from_slice(bytes);
            value(u64::from_le_bytes(word), bytes.len() as u32).unwrap_or_default()
        }
        None => bytes_text(bytes, bytes.len()),
    }
}
