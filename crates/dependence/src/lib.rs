//! Which operations commute: the one notion of dependence of the house.
//!
//! An executed operation is reduced to its *footprint*: what it touched, and how. Two operations of different
//! threads are dependent when their footprints conflict. Independent neighbours can change places in a run:
//! both can still be executed, each with the same result, and the state afterwards is the same. Reductions
//! rest on exactly that, and on a footprint being that of the operation *as it went*: a compare-and-swap that
//! failed has only read, and two that failed commute.
//!
//! | how | stands for | commutes with |
//! |---|---|---|
//! | `Read` | looks at it: a load, a failed attempt (`trylock`, compare-and-swap, `sem_trywait`), a signal that woke nobody | `Read` |
//! | `Write` | changes it: a store, taking or releasing a lock, waking somebody | – |
//! | `Add` | changes it, but the order of several such changes cannot be seen: posting a semaphore | `Add` |
//! | `Arrive` | arrives at a barrier | `Arrive`, unless one of the two is the last |
//! | `Share` | takes or gives back a part of it: read locks | `Share` |
//!
//! Reading commutes with reading because neither changes anything. Adding commutes with adding because
//! addition does, and neither looks at the sum. Sharing commutes with sharing: as long as a reader is inside,
//! others may come and go. But sharing does not commute with looking (a failed `trywrlock` sees whether
//! anybody is inside). Arriving at a barrier commutes with arriving: nobody can tell who came first; but who
//! comes last opens it, and is told so.
//!
//! Some operations are about threads and not about memory: cancelling a thread or sending it a signal changes
//! what that thread does next, whatever that is ([`Reach::Thread`]); what ends the process takes place before
//! or after everything else ([`Reach::All`]).
//!
//! Ranges conflict only where they overlap. Synchronisation objects are ranges of one byte at their address,
//! so freeing the memory that a lock is in conflicts with locking it. What has no address gets one here that
//! no program has ([`thread`], [`CREATION`], [`OUTSIDE`]).
#![no_std]

#[repr(u8)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Mode {
    Read = 1,
    Write = 2,
    Add = 3,
    Share = 4,
    Arrive = 5,
}

impl Mode {
    pub const fn commutes(self, other: Mode) -> bool {
        matches!(
            (self, other),
            (Mode::Read, Mode::Read)
                | (Mode::Add, Mode::Add)
                | (Mode::Share, Mode::Share)
                | (Mode::Arrive, Mode::Arrive)
        )
    }
}

/// `size` bytes at `address`; nothing where `size` is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    pub address: u64,
    pub size: u32,
    pub mode: Mode,
    /// How many have still to arrive at the barrier, this one included.
    pub left: u16,
}

impl Touch {
    pub const NONE: Touch = Touch { address: 0, size: 0, mode: Mode::Read, left: 0 };

    pub const fn new(address: u64, size: u32, mode: Mode) -> Touch {
        Touch { address, size, mode, left: 0 }
    }

    /// A synchronisation object.
    pub const fn object(address: u64, mode: Mode) -> Touch {
        Touch { address, size: 1, mode, left: 0 }
    }

    /// A barrier that `left` have still to arrive at.
    pub const fn arrival(address: u64, left: u16) -> Touch {
        Touch { address, size: 1, mode: Mode::Arrive, left }
    }

    pub const fn overlaps(&self, other: &Touch) -> bool {
        self.size > 0
            && other.size > 0
            && self.address < other.address.saturating_add(other.size as u64)
            && other.address < self.address.saturating_add(self.size as u64)
    }

    pub const fn conflicts(&self, other: &Touch) -> bool {
        self.overlaps(other)
            && (!self.mode.commutes(other.mode)
                || matches!(self.mode, Mode::Arrive) && (self.left == 1 || other.left == 1))
    }

    /// Is this, not executed yet, still the same after `other` was? The arrival of somebody else brings it
    /// nearer to being the last one.
    fn withstands(&mut self, other: &Touch) -> bool {
        if !self.overlaps(other) {
            return true;
        }
        if matches!((self.mode, other.mode), (Mode::Arrive, Mode::Arrive)) {
            self.left = self.left.saturating_sub(1);
            return self.left > 1;
        }
        self.mode.commutes(other.mode)
    }
}

/// Beyond what it touches.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reach {
    Local,
    /// Everything that this thread does.
    Thread(u16),
    All,
}

/// What an operation touched.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Footprint {
    pub touches: [Touch; 2],
    pub reach: Reach,
}

impl Footprint {
    pub const NONE: Footprint = Footprint { touches: [Touch::NONE; 2], reach: Reach::Local };
    pub const ALL: Footprint = Footprint { touches: [Touch::NONE; 2], reach: Reach::All };

    pub const fn one(touch: Touch) -> Footprint {
        Footprint { touches: [touch, Touch::NONE], reach: Reach::Local }
    }

    pub const fn two(first: Touch, second: Touch) -> Footprint {
        Footprint { touches: [first, second], reach: Reach::Local }
    }

    /// The same as numbers, to be kept.
    pub fn to_words(&self) -> [u64; 5] {
        let [first, second] = self
            .touches
            .map(|touch| touch.size as u64 | (touch.mode as u64) << 32 | (touch.left as u64) << 40);
        let reach = match self.reach {
            Reach::Local => 0,
            Reach::All => 1,
            Reach::Thread(thread) => 2 + thread as u64,
        };
        [self.touches[0].address, first, self.touches[1].address, second, reach]
    }

    /// `None`: these numbers are no footprint.
    pub fn from_words(words: [u64; 5]) -> Option<Footprint> {
        let touch = |address: u64, rest: u64| {
            let mode = match rest >> 32 & 0xff {
                1 => Mode::Read,
                2 => Mode::Write,
                3 => Mode::Add,
                4 => Mode::Share,
                5 => Mode::Arrive,
                _ => return None,
            };
            let left = (rest >> 40) as u16;
            Some(Touch { address, size: rest as u32, mode, left })
        };
        let reach = match words[4] {
            0 => Reach::Local,
            1 => Reach::All,
            thread => Reach::Thread(u16::try_from(thread - 2).ok()?),
        };
        Some(Footprint { touches: [touch(words[0], words[1])?, touch(words[2], words[3])?], reach })
    }

    /// Would it matter which of the two came first? `mine` and `its` are the threads that execute them.
    pub fn conflicts(&self, mine: u16, other: &Footprint, its: u16) -> bool {
        self.reaches(its)
            || other.reaches(mine)
            || self.touches.iter().any(|a| other.touches.iter().any(|b| a.conflicts(b)))
    }

    /// Is this, not executed yet, still the same after `other` was? Not only where the two conflict: what
    /// others do adds up.
    pub fn withstands(&mut self, mine: u16, other: &Footprint, its: u16) -> bool {
        let mut same = !self.reaches(its) && !other.reaches(mine);
        for touch in &mut self.touches {
            for its in &other.touches {
                same &= touch.withstands(its);
            }
        }
        same
    }

    pub fn reaches(&self, thread: u16) -> bool {
        match self.reach {
            Reach::Local => false,
            Reach::Thread(target) => target == thread,
            Reach::All => true,
        }
    }
}

/// Addresses that no program has.
const NOWHERE: u64 = 0xFFFF_0000_0000_0000;

/// A thread's end: it is waited for.
pub const fn thread(id: u16) -> u64 {
    NOWHERE + id as u64
}

/// A thread's beginning: it is created, it starts.
pub const fn birth(id: u16) -> u64 {
    NOWHERE + 0x2_0000 + id as u64
}

/// The numbering of threads: they are named in the order of their creation.
pub const CREATION: u64 = NOWHERE + 0x1_0000;

/// Everything beyond the program's own memory: descriptors, files, signals, processes.
pub const OUTSIDE: u64 = NOWHERE + 0x1_0001;

/// All that threads share, for those who look at all of it at once.
///
/// A look reads it, a write to a location adds to it: of two writes to different locations a look that comes before
/// or after both cannot tell the order. So looks commute with looks, and writes with writes as before.
pub const SIGHT: u64 = NOWHERE + 0x1_0002;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overlapping_in_part_conflicts() {
        let write = Footprint::one(Touch::new(100, 4, Mode::Write));
        let read = |address, size| Footprint::one(Touch::new(address, size, Mode::Read));
        assert!(write.conflicts(0, &read(103, 1), 1));
        assert!(write.conflicts(0, &read(96, 8), 1));
        assert!(!write.conflicts(0, &read(104, 4), 1));
        assert!(!write.conflicts(0, &read(96, 4), 1));
        assert!(!read(100, 4).conflicts(0, &read(100, 4), 1));
        assert!(!Footprint::NONE.conflicts(0, &write, 1));
    }

    #[test]
    fn modes_commute_symmetrically() {
        let modes = [Mode::Read, Mode::Write, Mode::Add, Mode::Share, Mode::Arrive];
        for a in modes {
            for b in modes {
                assert_eq!(a.commutes(b), b.commutes(a), "{a:?} {b:?}");
                assert_eq!(a.commutes(b), a == b && a != Mode::Write, "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn the_last_arrival_is_another_matter() {
        let arrival = |left| Footprint::one(Touch::arrival(64, left));
        assert!(!arrival(3).conflicts(0, &arrival(2), 1));
        assert!(arrival(2).conflicts(0, &arrival(1), 1));
        // Two of three are still to come when the first one waits: one may pass, not two.
        let mut waiting = arrival(3);
        assert!(waiting.withstands(0, &arrival(3), 1));
        assert!(!waiting.withstands(0, &arrival(2), 2));
        assert!(!arrival(1).withstands(0, &arrival(1), 1));
    }

    #[test]
    fn words_keep_a_footprint() {
        let all = [
            Footprint::NONE,
            Footprint::ALL,
            Footprint::two(Touch::arrival(1 << 47, 500), Touch::new(3, 1 << 31, Mode::Share)),
            Footprint { reach: Reach::Thread(7), ..Footprint::NONE },
        ];
        for footprint in all {
            assert_eq!(Footprint::from_words(footprint.to_words()), Some(footprint));
        }
        assert_eq!(Footprint::from_words([0; 5]), None);
    }

    #[test]
    fn reach_goes_beyond_memory() {
        let cancel = Footprint { touches: [Touch::NONE; 2], reach: Reach::Thread(2) };
        assert!(cancel.conflicts(0, &Footprint::NONE, 2));
        assert!(!cancel.conflicts(0, &Footprint::NONE, 1));
        assert!(Footprint::NONE.conflicts(3, &Footprint::ALL, 0));
    }
}
