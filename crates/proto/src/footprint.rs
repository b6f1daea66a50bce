//! What each operation touches, as it was logged: see `unpick_dependence` for what follows from it.
//!
//! Both sides use this: the runtime, to know when a sleeping thread's operation is no longer the same; the
//! searches, to know what happened before what.

use crate::{Kind, PENDING_ASLEEP, PENDING_ENABLED, Record, record_flag};
use unpick_dependence::{CREATION, Footprint, Mode, OUTSIDE, Reach, SIGHT, Touch, birth, thread};

/// Those who sleep on a futex, apart from the word itself.
const FUTEX_QUEUE: u64 = 0xFFFE_0000_0000_0000;

const fn object(address: u64, mode: Mode) -> Footprint {
    Footprint::one(Touch::object(address, mode))
}

const fn reach(reach: Reach) -> Footprint {
    Footprint { touches: [Touch::NONE; 2], reach }
}

/// Of an operation that was executed.
pub fn footprint(record: &Record) -> Footprint {
    let Some(kind) = Kind::from_u8(record.kind) else { return Footprint::ALL };
    let ok = record.flags & record_flag::OK != 0;
    let memory = |mode| {
        let touch = Touch::new(record.addr, record.aux, mode);
        let looks = record.flags & record_flag::LOOKS != 0;
        match (record.flags & record_flag::SEEN != 0 && mode == Mode::Write, looks) {
            (true, true) => Footprint::two(touch, Touch::object(SIGHT, Mode::Write)),
            (true, false) => Footprint::two(touch, Touch::object(SIGHT, Mode::Add)),
            (false, true) => Footprint::two(touch, Touch::object(SIGHT, Mode::Read)),
            (false, false) => Footprint::one(touch),
        }
    };
    let changed = |yes| if yes { Mode::Write } else { Mode::Read };
    // Its owner takes a recursive lock once more, or gives back one of several: nobody can tell.
    let inner = record.before == record.after && record.after != 0;
    match kind {
        Kind::Read | Kind::AtomicLoad => memory(Mode::Read),
        Kind::Write | Kind::AtomicStore | Kind::AtomicRmw => memory(Mode::Write),
        Kind::AtomicCas => memory(changed(ok)),

        Kind::Fence | Kind::Yield | Kind::Sleep | Kind::Choose => Footprint::NONE,
        Kind::AtomicBegin | Kind::AtomicEnd => Footprint::NONE,
        // Whoever asks for its end reaches it wherever it is.
        Kind::CancelPoint => Footprint::NONE,
        // Ordered by who made it possible, and by nothing else.
        Kind::BarrierLeave | Kind::Await => Footprint::NONE,

        Kind::ThreadCreate => Footprint::two(
            Touch::object(CREATION, Mode::Write),
            Touch::object(birth(record.aux as u16), Mode::Write),
        ),
        Kind::ThreadStart => object(birth(record.thread), Mode::Write),
        // It left robust mutexes behind.
        Kind::ThreadExit if record.aux != 0 => Footprint::ALL,
        Kind::ThreadExit => object(thread(record.thread), Mode::Write),
        Kind::ThreadJoin => object(thread(record.aux as u16), Mode::Write),
        Kind::ThreadTryJoin | Kind::ThreadTimedJoin => {
            object(thread(record.aux as u16), changed(ok))
        }
        Kind::ThreadCancel => reach(Reach::Thread(record.aux as u16)),

        Kind::MutexLock | Kind::MutexTryLock | Kind::MutexTimedLock | Kind::MutexUnlock
            if ok && inner =>
        {
            Footprint::NONE
        }
        Kind::MutexLock | Kind::MutexTryLock | Kind::MutexTimedLock | Kind::MutexUnlock => {
            object(record.addr, changed(ok))
        }
        Kind::CondWait => Footprint::two(
            Touch::object(record.addr, Mode::Write),
            Touch::object(record.before, Mode::Write),
        ),
        Kind::CondTimeout => object(record.addr, Mode::Write),
        Kind::CondReacquire => object(record.before, Mode::Write),
        Kind::CondSignal | Kind::CondBroadcast => object(record.addr, changed(record.aux > 0)),

        Kind::ReadLock | Kind::TryReadLock if ok => object(record.addr, Mode::Share),
        Kind::ReadLock | Kind::TryReadLock => object(record.addr, Mode::Read),
        Kind::WriteLock | Kind::TryWriteLock => object(record.addr, changed(ok)),
        // Of a writer, or of a reader.
        Kind::RwUnlock if record.aux != 0 => object(record.addr, Mode::Write),
        Kind::RwUnlock => object(record.addr, Mode::Share),

        Kind::BarrierArrive => {
            Footprint::one(Touch::arrival(record.addr, record.aux.min(u16::MAX as u32) as u16))
        }
        Kind::SemWait | Kind::SemTryWait => object(record.addr, changed(ok)),
        Kind::SemPost => object(record.addr, Mode::Add),
        Kind::SemGetValue => object(record.addr, Mode::Read),
        Kind::OnceEnter => object(record.addr, changed(ok)),
        Kind::OnceDone => object(record.addr, Mode::Write),
        Kind::MutexDestroy
        | Kind::CondDestroy
        | Kind::RwDestroy
        | Kind::BarrierDestroy
        | Kind::SemDestroy
        | Kind::MutexInit
        | Kind::CondInit
        | Kind::RwInit
        | Kind::BarrierInit
        | Kind::SemInit => object(record.addr, Mode::Write),

        Kind::FutexWait => {
            let word = Touch::new(record.addr, 4, Mode::Read);
            let queue = Touch::object(FUTEX_QUEUE + record.addr, Mode::Write);
            if ok { Footprint::two(word, queue) } else { Footprint::one(word) }
        }
        Kind::FutexReturn if record.flags & record_flag::TIMEOUT != 0 => {
            object(FUTEX_QUEUE + record.addr, Mode::Write)
        }
        Kind::FutexReturn => Footprint::NONE,
        Kind::FutexWake => object(FUTEX_QUEUE + record.addr, changed(record.aux > 0)),

        Kind::Io | Kind::Signal | Kind::SignalWait | Kind::ProcessWait => {
            object(OUTSIDE, Mode::Write)
        }
        Kind::SemOpen | Kind::SemUnlink => object(OUTSIDE, Mode::Write),
        Kind::SignalSend => match record.before {
            0 => Footprint::ALL,
            target => reach(Reach::Thread((target - 1) as u16)),
        },
        Kind::Exit => Footprint::ALL,
        Kind::Enter | Kind::Leave => object(SIGHT, Mode::Read),
        _ => Footprint::ALL,
    }
}

/// Of an operation that was not executed ([`Kind::Pending`]): all that it might have touched.
pub fn pending_footprint(record: &Record) -> Footprint {
    let Some(kind) = Kind::from_u8(record.flags) else { return Footprint::ALL };
    let executed = Record { kind: record.flags, flags: record_flag::OK, after: 0, ..*record };
    match kind {
        Kind::Read
        | Kind::Write
        | Kind::AtomicLoad
        | Kind::AtomicStore
        | Kind::AtomicRmw
        | Kind::AtomicCas => {
            let sight = record.before as u8 & (record_flag::SEEN | record_flag::LOOKS);
            footprint(&Record { flags: record_flag::OK | sight, ..executed })
        }
        // A bystander to whatever the others do, until it is woken.
        Kind::CondReacquire | Kind::FutexReturn
            if record.after & (PENDING_ENABLED | PENDING_ASLEEP) == PENDING_ASLEEP =>
        {
            Footprint::NONE
        }
        // Awake, or able to give up waiting.
        Kind::CondReacquire => Footprint::two(
            Touch::object(record.addr, Mode::Write),
            Touch::object(record.before, Mode::Write),
        ),
        Kind::FutexReturn => object(FUTEX_QUEUE + record.addr, Mode::Write),
        Kind::BarrierArrive | Kind::CondSignal | Kind::CondBroadcast | Kind::RwUnlock => {
            object(record.addr, Mode::Write)
        }
        Kind::FutexWake => object(FUTEX_QUEUE + record.addr, Mode::Write),
        Kind::ThreadCreate => object(CREATION, Mode::Write),
        Kind::ThreadJoin | Kind::ThreadTryJoin | Kind::ThreadTimedJoin => {
            object(thread(record.before as u16), Mode::Write)
        }
        Kind::ThreadCancel => reach(Reach::Thread(record.before as u16)),
        Kind::SignalSend => Footprint::ALL,
        _ => footprint(&executed),
    }
}
