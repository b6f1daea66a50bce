//! What is remembered of each byte: who touched it, where and when.
//!
//! For each thread, place and kind of access the latest one is kept. If that one is ordered before an access to
//! come, so are the earlier ones; if it is not, the two places race. So no pair of places is lost, in whichever
//! order its accesses came. (Detectors that keep one write and one read find a race at each racing location, but
//! not every pair.)
//!
//! What everybody knows to be over is dropped when there is much. Only where more than [`MOST`] accesses to the
//! same eight bytes are still of interest the oldest goes, and that is counted ([`History::forgotten`]).

use crate::hash::Table;
use crate::{Clock, Epoch};
use unpick_model::{Event, Op, Race};

/// Bytes are looked up by eight.
const GRANULE: u64 = 8;
/// Accesses that are remembered of a granule.
const MOST: usize = 512;
/// Granules after which the dispensable ones are looked for the first time.
const MANY: usize = 1 << 16;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Read,
    Write,
    AtomicRead,
    AtomicWrite,
}

impl Kind {
    fn of(op: Op) -> Kind {
        match (op.is_atomic_access(), op.is_write()) {
            (false, false) => Kind::Read,
            (false, true) => Kind::Write,
            (true, false) => Kind::AtomicRead,
            (true, true) => Kind::AtomicWrite,
        }
    }

    fn conflicts(self, other: Kind) -> bool {
        let plain = |kind| matches!(kind, Kind::Read | Kind::Write);
        let writes = |kind| matches!(kind, Kind::Write | Kind::AtomicWrite);
        (plain(self) || plain(other)) && (writes(self) || writes(other))
    }
}

struct Access {
    event: Event,
    kind: Kind,
    time: u32,
    /// A bit for each byte.
    bytes: u8,
}

impl Access {
    fn moment(&self) -> Epoch {
        Epoch { thread: self.event.thread, time: self.time }
    }
}

#[derive(Default)]
pub(crate) struct History {
    granules: Table<Vec<Access>>,
    worth_a_look: usize,
    pub forgotten: u64,
}

/// The granules of a range, each with its bytes that belong to it.
fn granules(address: u64, bytes: u64) -> impl Iterator<Item = (u64, u8)> {
    let end = address.saturating_add(bytes);
    let last = end.saturating_sub(1) / GRANULE;
    (address / GRANULE..=last).filter(move |_| bytes > 0).map(move |granule| {
        let from = address.max(granule * GRANULE) % GRANULE;
        let to = end.min((granule + 1).saturating_mul(GRANULE)) - granule * GRANULE;
        (granule, ((1u16 << to) - (1 << from)) as u8)
    })
}

impl History {
    /// Compares an access with what is remembered, and remembers it.
    pub fn access(
        &mut self,
        event: &Event,
        now: Epoch,
        known: &Clock,
        known_to_all: impl Fn() -> Clock,
        race: &mut impl FnMut(Race),
    ) {
        let kind = Kind::of(event.op);
        for (granule, bytes) in granules(event.address, event.size as u64) {
            let accesses = self.granules.entry(granule).or_default();
            let mut again = false;
            for access in &*accesses {
                let other = &access.event;
                if other.thread != event.thread {
                    let races = access.bytes & bytes != 0
                        && kind.conflicts(access.kind)
                        && !known.knows(access.moment());
                    if races {
                        race(Race { first: *other, second: *event });
                    }
                } else if other.pc == event.pc && access.kind == kind && access.bytes == bytes {
                    again |= access.time == now.time;
                }
            }
            if again {
                continue;
            }
            let same = |access: &Access| {
                let other = &access.event;
                other.thread == event.thread && other.pc == event.pc && access.kind == kind
            };
            accesses.iter_mut().filter(|access| same(access)).for_each(|it| it.bytes &= !bytes);
            accesses.retain(|access| access.bytes != 0);
            if accesses.len() >= MOST {
                let known = known_to_all();
                accesses.retain(|access| !known.knows(access.moment()));
                if accesses.len() >= MOST {
                    accesses.remove(0);
                    self.forgotten += 1;
                }
            }
            accesses.push(Access { event: *event, kind, time: now.time, bytes });
        }
        if self.granules.len() > self.worth_a_look.max(MANY) {
            self.drop_known(&known_to_all());
        }
    }

    fn drop_known(&mut self, known: &Clock) {
        self.granules.retain(|_, accesses| {
            accesses.retain(|access| !known.knows(access.moment()));
            !accesses.is_empty()
        });
        self.granules.shrink_to_fit();
        self.worth_a_look = 2 * self.granules.len();
    }

    /// Other memory from here on: nobody has touched it.
    pub fn forget(&mut self, address: u64, bytes: u64) {
        if bytes / GRANULE > self.granules.len() as u64 {
            let range = address..address.saturating_add(bytes);
            self.granules.retain(|granule, accesses| {
                for access in &mut *accesses {
                    for byte in 0..GRANULE {
                        if range.contains(&(granule * GRANULE + byte)) {
                            access.bytes &= !(1 << byte);
                        }
                    }
                }
                accesses.retain(|access| access.bytes != 0);
                !accesses.is_empty()
            });
            return;
        }
        for (granule, bytes) in granules(address, bytes) {
            let Some(accesses) = self.granules.get_mut(&granule) else { continue };
            accesses.iter_mut().for_each(|access| access.bytes &= !bytes);
            accesses.retain(|access| access.bytes != 0);
            if accesses.is_empty() {
                self.granules.remove(&granule);
            }
        }
    }
}
