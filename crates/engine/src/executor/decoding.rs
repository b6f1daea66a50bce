//! Reading the log of a run, of a long one while it goes on.

use super::watching::LOOK;
use crate::decode::{Decoder, Keep};
use crate::shm::Shm;
use crate::watch::readable;
use std::os::fd::AsRawFd;
use std::time::{Duration, Instant};
use unpick_model::{EventSink, Plan};
use unpick_proto::RING;

pub(super) struct Decoding<'s> {
    pub(super) decoder: Decoder<'s>,
    /// Somebody wants the events, whatever the outcome.
    wanted: bool,
}

impl<'s> Decoding<'s> {
    pub(super) fn new(plan: &Plan, sink: Option<&'s mut dyn EventSink>) -> Decoding<'s> {
        let reduced = plan.reduction.is_some();
        let wanted = plan.events || sink.is_some() || reduced;
        Decoding { decoder: Decoder::new(sink).for_reduction(reduced), wanted }
    }

    /// Takes out what is there once it is a good part of what the log holds. Says how long that took.
    ///
    /// Nobody knows yet how the run ends. If nobody asked for its events, those of a run that outgrows the
    /// log are not kept, so that memory does not grow with its length: a failing one is run again anyway.
    pub(super) fn drain(&mut self, shm: &Shm) -> Duration {
        let written = shm.written();
        if written.saturating_sub(self.decoder.taken) < RING as u64 / 4 {
            return Duration::ZERO;
        }
        let begun = Instant::now();
        let keep = if self.wanted { Keep::Events } else { Keep::Stacks };
        // The last record may still change.
        self.take(shm, written - 1, keep);
        begun.elapsed()
    }

    /// The program is gone: takes all that is left.
    pub(super) fn drain_rest(&mut self, shm: &Shm, telling: bool) {
        let keep = match (self.decoder.taken, telling, self.wanted) {
            (0, true, _) | (_, _, true) => Keep::Events,
            (0, false, _) => Keep::Nothing,
            _ => Keep::Stacks,
        };
        self.take(shm, shm.written(), keep);
    }

    fn take(&mut self, shm: &Shm, to: u64, keep: Keep) {
        // A program that writes where it should not may have spoilt the number.
        let to = to.min(self.decoder.taken + RING as u64);
        // In pieces, so that the program need not wait for all of them.
        const PIECE: u64 = 1 << 13;
        while self.decoder.taken < to {
            let from = self.decoder.taken;
            self.decoder.take(shm.records(from, to.min(from + PIECE)), keep);
            self.decoder.deliver(false);
            shm.set_drained(self.decoder.taken);
        }
    }

    /// Waits, and reads the log meanwhile.
    pub(super) fn wait(&mut self, file: &impl AsRawFd, patience: Duration, shm: &Shm) -> bool {
        let deadline = Instant::now() + patience;
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if readable(file, left.min(LOOK)) {
                return true;
            }
            if left.is_zero() {
                return false;
            }
            self.drain(shm);
        }
    }
}
