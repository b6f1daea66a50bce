//! Whether a run has the events that are expected, without keeping either of the two.

use crate::TraceError;
use crate::format::Parts;
use crate::spool::Spool;
use unpick_model::{Event, EventSink, RunError, Wide};

/// Events in the order of a run, part by part.
pub trait Expected {
    fn parts(&self) -> usize;
    fn events(&mut self, part: usize) -> Result<&[Event], TraceError>;
}

impl Expected for Spool {
    fn parts(&self) -> usize {
        Spool::parts(self)
    }

    fn events(&mut self, part: usize) -> Result<&[Event], TraceError> {
        Ok(self.part(part)?.0)
    }
}

impl<T: Parts> Expected for T {
    fn parts(&self) -> usize {
        Parts::parts(self)
    }

    fn events(&mut self, part: usize) -> Result<&[Event], TraceError> {
        Ok(&self.load_part(part)?.0.events)
    }
}

/// The first event in which two recordings differ; `None`: one of them has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Position in the run.
    pub index: u64,
    pub expected: Option<Event>,
    pub found: Option<Event>,
}

/// Compares the events that it takes with those that are expected.
pub struct Comparison<'a> {
    expected: &'a mut dyn Expected,
    part: usize,
    at: usize,
    index: u64,
    difference: Option<Difference>,
}

impl<'a> Comparison<'a> {
    pub fn with(expected: &'a mut dyn Expected) -> Comparison<'a> {
        Comparison { expected, part: 0, at: 0, index: 0, difference: None }
    }

    /// What is left of the part that comes next.
    fn next(&mut self) -> Result<&[Event], TraceError> {
        while self.part < self.expected.parts() {
            let length = self.expected.events(self.part)?.len();
            if self.at < length {
                return Ok(&self.expected.events(self.part)?[self.at..]);
            }
            self.part += 1;
            self.at = 0;
        }
        Ok(&[])
    }

    /// The run is over: says what was different.
    pub fn finish(mut self) -> Result<Option<Difference>, TraceError> {
        if self.difference.is_none() {
            let index = self.index;
            let missing = self.next()?.first().copied();
            self.difference =
                missing.map(|event| Difference { index, expected: Some(event), found: None });
        }
        Ok(self.difference)
    }
}

impl EventSink for Comparison<'_> {
    fn take(&mut self, mut events: &[Event], _: &[Wide]) -> Result<(), RunError> {
        while self.difference.is_none() && !events.is_empty() {
            let index = self.index;
            let expected = self.next().map_err(|error| RunError(error.to_string()))?;
            let both = expected.len().min(events.len());
            let differs = expected.iter().zip(events).position(|(one, other)| !same(one, other));
            self.difference = match differs {
                Some(at) => Some(Difference {
                    index: index + at as u64,
                    expected: Some(expected[at]),
                    found: Some(events[at]),
                }),
                None if both == 0 => {
                    Some(Difference { index, expected: None, found: Some(events[0]) })
                }
                None => None,
            };
            self.at += both;
            self.index += both as u64;
            events = &events[both..];
        }
        Ok(())
    }
}

/// Names come from outside the run.
fn same(one: &Event, other: &Event) -> bool {
    Event { name: 0, ..*one } == Event { name: 0, ..*other }
}
