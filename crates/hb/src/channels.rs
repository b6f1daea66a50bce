//! Descriptors: who reads comes after those who wrote before.
//!
//! As with semaphores, all that was written before is known to a reader. The two ends of a pipe or of a pair of
//! sockets are one channel, and so are all other sockets together: which of them lead to each other is not known.

use crate::Clock;
use std::collections::HashMap;
use unpick_model::{Call, Event};

#[derive(Clone, Default)]
pub(crate) struct Channels {
    /// By descriptor.
    numbers: HashMap<u64, usize>,
    /// By the number of the named pipe.
    named: HashMap<u64, usize>,
    left: Vec<Clock>,
    sockets: Option<usize>,
}

/// What a call does to the order.
pub(crate) enum Transfer {
    Put(usize),
    Get(usize),
    Nothing,
}

impl Channels {
    /// Looks at a call that has happened; `before` is its result.
    pub fn take(&mut self, event: &Event, call: Call) -> Transfer {
        let result = event.before as i64;
        if result < 0 {
            return Transfer::Nothing;
        }
        match call {
            Call::Pipe => {
                let channel = self.another();
                self.numbers.insert(event.after & 0xFFFF_FFFF, channel);
                self.numbers.insert(event.after >> 32, channel);
                Transfer::Nothing
            }
            // A named pipe has a number.
            Call::Open if event.after != 0 => {
                let channel = match self.named.get(&event.after) {
                    Some(&channel) => channel,
                    None => self.another(),
                };
                self.named.insert(event.after, channel);
                self.numbers.insert(result as u64, channel);
                Transfer::Nothing
            }
            Call::EventFd | Call::EpollCreate | Call::Open => {
                let channel = self.another();
                self.numbers.insert(result as u64, channel);
                Transfer::Nothing
            }
            Call::Socket => {
                self.is_socket(result as u64);
                Transfer::Nothing
            }
            Call::Accept => {
                self.is_socket(event.address);
                Transfer::Get(self.is_socket(result as u64))
            }
            Call::Connect => Transfer::Put(self.is_socket(event.address)),
            Call::Duplicate => {
                let channel = self.of(event.address);
                self.numbers.insert(result as u64, channel);
                Transfer::Nothing
            }
            Call::Close => {
                // Who reads to the end knows what the other side did before it closed.
                let channel = self.of(event.address);
                self.numbers.remove(&event.address);
                Transfer::Put(channel)
            }
            Call::Write | Call::Send | Call::Shutdown | Call::EpollControl => {
                Transfer::Put(self.of(event.address))
            }
            Call::Read | Call::Receive | Call::EpollWait => Transfer::Get(self.of(event.address)),
            _ => Transfer::Nothing,
        }
    }

    pub fn left(&mut self, channel: usize) -> &mut Clock {
        &mut self.left[channel]
    }

    fn another(&mut self) -> usize {
        self.left.push(Clock::default());
        self.left.len() - 1
    }

    fn of(&mut self, descriptor: u64) -> usize {
        if let Some(&channel) = self.numbers.get(&descriptor) {
            return channel;
        }
        let channel = self.another();
        self.numbers.insert(descriptor, channel);
        channel
    }

    fn is_socket(&mut self, descriptor: u64) -> usize {
        let channel = match self.sockets {
            Some(channel) => channel,
            None => self.another(),
        };
        self.sockets = Some(channel);
        self.numbers.insert(descriptor, channel);
        channel
    }
}
