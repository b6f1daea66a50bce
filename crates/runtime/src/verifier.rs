//! The verifiers' intrinsics and `unpick.h`, natively.

use crate::baton::{done, enter, turn};
use crate::fail;
use crate::log;
use crate::policy;
use crate::shim::{CALLER, shims};
use crate::state::*;
use core::ffi::c_int;
use unpick_proto::{Kind, outcome, record_flag};

/// A value of the plan's choice; `alternatives` 0: from a domain too large to enumerate.
unsafe fn chosen(alternatives: u64, pc: u64) -> u64 {
    chosen_from(0, alternatives, 8, pc)
}

/// The same for a range that begins at `low`; the log has the value that the program gets.
unsafe fn chosen_from(low: u64, alternatives: u64, size: u32, pc: u64) -> u64 {
    if !ACTIVE {
        return low;
    }
    enter();
    log_choice(low.wrapping_add(policy::pick(alternatives)), size, pc)
}

/// Any number with a fraction, as its bits: a plan may want each of them, what is drawn is a simple one.
unsafe fn chosen_fraction(size: u32, shape: impl Fn(f64) -> u64, pc: u64) -> u64 {
    if !ACTIVE {
        return 0;
    }
    enter();
    let bits = policy::pick_shaped(0, |drawn| shape(drawn as i64 as f64 / 4.0));
    log_choice(bits, size, pc)
}

unsafe fn log_choice(value: u64, size: u32, pc: u64) -> u64 {
    let pending = Pending::new(Kind::Choose, 0, pc);
    log::event(&pending, record_flag::OK, size, 0, value & (u64::MAX >> (64 - 8 * size)));
    done();
    value
}

macro_rules! nondet {
    ($($name:ident => $function:ident: $type:ty;)*) => {
        $(unsafe extern "C" fn $function() -> $type {
            chosen(0, CALLER) as $type
        })*
        shims! { $($name => $function;)* }
    };
}

nondet! {
    __VERIFIER_nondet_int => nondet_int: c_int;
    __VERIFIER_nondet_uint => nondet_uint: u32;
    __VERIFIER_nondet_unsigned => nondet_unsigned: u32;
    __VERIFIER_nondet_long => nondet_long: i64;
    __VERIFIER_nondet_ulong => nondet_ulong: u64;
    __VERIFIER_nondet_longlong => nondet_longlong: i64;
    __VERIFIER_nondet_ulonglong => nondet_ulonglong: u64;
    __VERIFIER_nondet_size_t => nondet_size: u64;
    __VERIFIER_nondet_short => nondet_short: i16;
    __VERIFIER_nondet_ushort => nondet_ushort: u16;
    __VERIFIER_nondet_char => nondet_char: i8;
    __VERIFIER_nondet_uchar => nondet_uchar: u8;
    __VERIFIER_nondet_pointer => nondet_pointer: u64;
    __VERIFIER_nondet_pchar => nondet_text: u64;
    __VERIFIER_nondet_u8 => nondet_u8: u8;
    __VERIFIER_nondet_u16 => nondet_u16: u16;
    __VERIFIER_nondet_u32 => nondet_u32: u32;
    __VERIFIER_nondet_u64 => nondet_u64: u64;
    __VERIFIER_nondet_loff_t => nondet_offset: i64;
    __VERIFIER_nondet_sector_t => nondet_sector: u64;
    __VERIFIER_nondet_pthread_t => nondet_thread: u64;
}

unsafe extern "C" fn nondet_bool() -> bool {
    chosen(2, CALLER) != 0
}

unsafe extern "C" fn nondet_float() -> f32 {
    f32::from_bits(chosen_fraction(4, |drawn| (drawn as f32).to_bits() as u64, CALLER) as u32)
}

unsafe extern "C" fn nondet_double() -> f64 {
    f64::from_bits(chosen_fraction(8, f64::to_bits, CALLER))
}

unsafe extern "C" fn choose_int(low: c_int, high: c_int) -> c_int {
    let width = (high as i64 - low as i64 + 1).max(1) as u64;
    chosen_from(low as i64 as u64, width, 4, CALLER) as c_int
}

unsafe extern "C" fn assume(condition: c_int) {
    if ACTIVE && condition == 0 {
        fail::end(outcome::DISCARDED, 0, 0, CALLER);
    }
}

unsafe extern "C" fn reach_error() -> ! {
    let pc = CALLER;
    if ACTIVE {
        log::say(c"reach_error()".as_ptr().cast(), 0);
        fail::end(outcome::ASSERTION, 0, 0, pc);
    }
    crate::sys::real::abort();
    crate::sys::exit_group(134)
}

/// From here to the matching end the thread is not preempted, unless it blocks.
pub unsafe fn atomic_begin(pc: u64) {
    if !ACTIVE {
        return;
    }
    enter();
    let mut pending = Pending::new(Kind::AtomicBegin, 0, pc);
    pending.writes = false;
    turn(pending);
    me().atomic += 1;
    log::event(&pending, record_flag::OK, 0, 0, 0);
    done();
}

pub unsafe fn atomic_end(pc: u64) {
    if !ACTIVE {
        return;
    }
    enter();
    let pending = Pending::new(Kind::AtomicEnd, 0, pc);
    log::event(&pending, record_flag::OK, 0, 0, 0);
    done();
    me().atomic = me().atomic.saturating_sub(1);
}

unsafe extern "C" fn atomic_begin_hook() {
    atomic_begin(CALLER);
}

unsafe extern "C" fn atomic_end_hook() {
    atomic_end(CALLER);
}

unsafe fn annotate(kind: Kind, address: u64, size: u32, pc: u64) {
    if ACTIVE {
        enter();
        log::note(kind, address, size, 0, pc);
    }
}

unsafe extern "C" fn ignore_race(address: u64, size: usize) {
    annotate(Kind::IgnoreRace, address, size as u32, CALLER);
}

unsafe extern "C" fn hand_lock(address: u64) {
    annotate(Kind::HandLock, address, 0, CALLER);
}

unsafe extern "C" fn hand_unlock(address: u64) {
    annotate(Kind::HandUnlock, address, 0, CALLER);
}

shims! {
    __VERIFIER_nondet_bool => nondet_bool;
    __VERIFIER_nondet__Bool => nondet_bool;
    __VERIFIER_nondet_float => nondet_float;
    __VERIFIER_nondet_double => nondet_double;
    __VERIFIER_assume => assume;
    __VERIFIER_error => reach_error;
    __VERIFIER_atomic_begin => atomic_begin_hook;
    __VERIFIER_atomic_end => atomic_end_hook;
    unpick_choose_int => choose_int;
    unpick_atomic_begin => atomic_begin_hook;
    unpick_atomic_end => atomic_end_hook;
    unpick_ignore_race => ignore_race;
    unpick_hand_lock => hand_lock;
    unpick_hand_unlock => hand_unlock;
}

// Programs of the verification competitions define `reach_error` themselves; where one only declares
// it, this is the definition.
core::arch::global_asm!(
    ".weak reach_error",
    ".type reach_error, @function",
    "reach_error:",
    "mov r11, [rsp]",
    "mov [rip + {caller}], r11",
    "jmp {target}",
    caller = sym CALLER,
    target = sym reach_error,
);
