//! Atomic operations, as the compiler's instrumentation calls them. One operation is one event.
//!
//! Executed sequentially consistently whatever order is asked for; the order is recorded, and a weaker
//! one on a shared location is noticed, because then this is not all that the machine could do.

use crate::baton::{done, enter, turn};
use crate::faults;
use crate::log;
use crate::memory::{self, Use};
use crate::shim::{CALLER, shims};
use crate::state::*;
use crate::waiting;
use core::ffi::c_int;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering::SeqCst, fence};
use unpick_proto::{Kind, notice, plan_flag, record_flag};

/// The event is begun: whether it is to be logged, and as what.
struct Begun {
    pending: Pending,
    order: u8,
    shared: bool,
}

unsafe fn begin(kind: Kind, address: u64, size: u32, order: c_int, pc: u64) -> Begun {
    enter();
    let shared = memory::claim(address, size) == Use::Shared;
    let writes = kind != Kind::AtomicLoad;
    let pending = Pending { size, writes, ..Pending::new(kind, address, pc) };
    if shared || flag(plan_flag::FULL) || COUNT >= STOP {
        if shared {
            turn(pending);
            if order != 5 {
                control().notices |= notice::WEAK_ATOMICS;
            }
        } else if crate::access::stop_here() {
            turn(pending);
        }
    }
    faults::check(address, size, kind, pc);
    Begun { pending, order: (order as u8) & record_flag::ORDER, shared }
}

unsafe fn finish(begun: Begun, ok: bool, before: u64, after: u64) {
    let (address, size) = (begun.pending.addr, begun.pending.size);
    if begun.shared && crate::order::strict() {
        crate::strict::atomic(begun.pending.kind, ok, address, begun.order);
    }
    // Of sixteen bytes only half is compared.
    let changed = before != after || (size > 8 && ok && begun.pending.writes);
    if waiting::on() && changed {
        waiting::write(address, size, begun.shared || size > 8, before);
    } else if waiting::on() {
        waiting::read(address, size);
    }
    if changed {
        waiting::changed(address, size, COUNT);
    }
    if begun.shared || flag(plan_flag::FULL) {
        let private = if begun.shared { 0 } else { record_flag::PRIVATE };
        let success = if ok { record_flag::OK } else { 0 };
        log::event(
            &begun.pending,
            begun.order | success | private,
            begun.pending.size,
            before,
            after,
        );
        if !begun.shared {
            crate::access::recorded_private();
        }
    }
    done();
    crate::native::passed();
}

macro_rules! sized {
    ($int:ty, $atomic:ty, $size:literal, $module:ident,
     $load:ident $store:ident $exchange:ident $add:ident $sub:ident $and:ident $or:ident $xor:ident
     $nand:ident $strong:ident $weak:ident $value:ident) => {
        mod $module {
            use super::*;

            unsafe fn at(address: *mut $int) -> &'static $atomic {
                <$atomic>::from_ptr(address)
            }

            pub unsafe extern "C" fn load(address: *mut $int, order: c_int) -> $int {
                let pc = CALLER;
                if !ACTIVE {
                    crate::paths::note_time();
                    return at(address).load(SeqCst);
                }
                let begun = begin(Kind::AtomicLoad, address as u64, $size, order, pc);
                let value = at(address).load(SeqCst);
                finish(begun, true, value as u64, value as u64);
                value
            }

            pub unsafe extern "C" fn store(address: *mut $int, value: $int, order: c_int) {
                let pc = CALLER;
                if !ACTIVE {
                    crate::paths::note_time();
                    return at(address).store(value, SeqCst);
                }
                let begun = begin(Kind::AtomicStore, address as u64, $size, order, pc);
                let before = at(address).swap(value, SeqCst);
                finish(begun, true, before as u64, value as u64);
            }

            #[inline]
            unsafe fn modify(
                address: *mut $int,
                order: c_int,
                change: impl Fn($int) -> $int,
            ) -> $int {
                let pc = CALLER;
                let apply = || {
                    let mut old = at(address).load(SeqCst);
                    while let Err(now) =
                        at(address).compare_exchange(old, change(old), SeqCst, SeqCst)
                    {
                        old = now;
                    }
                    old
                };
                if !ACTIVE {
                    crate::paths::note_time();
                    return apply();
                }
                let begun = begin(Kind::AtomicRmw, address as u64, $size, order, pc);
                let before = apply();
                finish(begun, true, before as u64, change(before) as u64);
                before
            }

            pub unsafe extern "C" fn exchange(
                address: *mut $int,
                value: $int,
                order: c_int,
            ) -> $int {
                modify(address, order, |_| value)
            }
            pub unsafe extern "C" fn add(address: *mut $int, value: $int, order: c_int) -> $int {
                modify(address, order, |old| old.wrapping_add(value))
            }
            pub unsafe extern "C" fn sub(address: *mut $int, value: $int, order: c_int) -> $int {
                modify(address, order, |old| old.wrapping_sub(value))
            }
            pub unsafe extern "C" fn and(address: *mut $int, value: $int, order: c_int) -> $int {
                modify(address, order, |old| old & value)
            }
            pub unsafe extern "C" fn or(address: *mut $int, value: $int, order: c_int) -> $int {
                modify(address, order, |old| old | value)
            }
            pub unsafe extern "C" fn xor(address: *mut $int, value: $int, order: c_int) -> $int {
                modify(address, order, |old| old ^ value)
            }
            pub unsafe extern "C" fn nand(address: *mut $int, value: $int, order: c_int) -> $int {
                modify(address, order, |old| !(old & value))
            }

            #[inline]
            unsafe fn swap_if(
                address: *mut $int,
                expected: $int,
                value: $int,
                order: c_int,
                failure: c_int,
                pc: u64,
            ) -> Result<$int, $int> {
                if !ACTIVE {
                    crate::paths::note_time();
                    return at(address).compare_exchange(expected, value, SeqCst, SeqCst);
                }
                let begun = begin(Kind::AtomicCas, address as u64, $size, order, pc);
                let result = at(address).compare_exchange(expected, value, SeqCst, SeqCst);
                match result {
                    Ok(before) => finish(begun, true, before as u64, value as u64),
                    // It was a load, then, with an order of its own.
                    Err(now) => {
                        let order = failure as u8 & record_flag::ORDER;
                        finish(Begun { order, ..begun }, false, now as u64, now as u64)
                    }
                }
                result
            }

            pub unsafe extern "C" fn compare(
                address: *mut $int,
                expected: *mut $int,
                value: $int,
                order: c_int,
                failure: c_int,
            ) -> c_int {
                let pc = CALLER;
                match swap_if(address, *expected, value, order, failure, pc) {
                    Ok(_) => 1,
                    Err(now) => {
                        *expected = now;
                        0
                    }
                }
            }

            pub unsafe extern "C" fn compare_value(
                address: *mut $int,
                expected: $int,
                value: $int,
                order: c_int,
                failure: c_int,
            ) -> $int {
                let pc = CALLER;
                match swap_if(address, expected, value, order, failure, pc) {
                    Ok(before) | Err(before) => before,
                }
            }

            shims! {
                $load => load;
                $store => store;
                $exchange => exchange;
                $add => add;
                $sub => sub;
                $and => and;
                $or => or;
                $xor => xor;
                $nand => nand;
                $strong => compare;
                $weak => compare;
                $value => compare_value;
            }
        }
    };
}

sized! { u8, AtomicU8, 1, bytes,
__tsan_atomic8_load __tsan_atomic8_store __tsan_atomic8_exchange __tsan_atomic8_fetch_add
__tsan_atomic8_fetch_sub __tsan_atomic8_fetch_and __tsan_atomic8_fetch_or __tsan_atomic8_fetch_xor
__tsan_atomic8_fetch_nand __tsan_atomic8_compare_exchange_strong
__tsan_atomic8_compare_exchange_weak __tsan_atomic8_compare_exchange_val }
sized! { u16, AtomicU16, 2, halves,
__tsan_atomic16_load __tsan_atomic16_store __tsan_atomic16_exchange __tsan_atomic16_fetch_add
__tsan_atomic16_fetch_sub __tsan_atomic16_fetch_and __tsan_atomic16_fetch_or __tsan_atomic16_fetch_xor
__tsan_atomic16_fetch_nand __tsan_atomic16_compare_exchange_strong
__tsan_atomic16_compare_exchange_weak __tsan_atomic16_compare_exchange_val }
sized! { u32, AtomicU32, 4, words,
__tsan_atomic32_load __tsan_atomic32_store __tsan_atomic32_exchange __tsan_atomic32_fetch_add
__tsan_atomic32_fetch_sub __tsan_atomic32_fetch_and __tsan_atomic32_fetch_or __tsan_atomic32_fetch_xor
__tsan_atomic32_fetch_nand __tsan_atomic32_compare_exchange_strong
__tsan_atomic32_compare_exchange_weak __tsan_atomic32_compare_exchange_val }
sized! { u64, AtomicU64, 8, longs,
__tsan_atomic64_load __tsan_atomic64_store __tsan_atomic64_exchange __tsan_atomic64_fetch_add
__tsan_atomic64_fetch_sub __tsan_atomic64_fetch_and __tsan_atomic64_fetch_or __tsan_atomic64_fetch_xor
__tsan_atomic64_fetch_nand __tsan_atomic64_compare_exchange_strong
__tsan_atomic64_compare_exchange_weak __tsan_atomic64_compare_exchange_val }

sized! { u128, Atomic128, 16, pairs,
__tsan_atomic128_load __tsan_atomic128_store __tsan_atomic128_exchange __tsan_atomic128_fetch_add
__tsan_atomic128_fetch_sub __tsan_atomic128_fetch_and __tsan_atomic128_fetch_or __tsan_atomic128_fetch_xor
__tsan_atomic128_fetch_nand __tsan_atomic128_compare_exchange_strong
__tsan_atomic128_compare_exchange_weak __tsan_atomic128_compare_exchange_val }

// What libatomic calls the same: compilers use it where they may not assume that instruction.
shims! {
    __atomic_load_16 => pairs::load;
    __atomic_store_16 => pairs::store;
    __atomic_exchange_16 => pairs::exchange;
    __atomic_fetch_add_16 => pairs::add;
    __atomic_fetch_sub_16 => pairs::sub;
    __atomic_fetch_and_16 => pairs::and;
    __atomic_fetch_or_16 => pairs::or;
    __atomic_fetch_xor_16 => pairs::xor;
    __atomic_fetch_nand_16 => pairs::nand;
    __atomic_compare_exchange_16 => pairs::compare;
}

/// Sixteen bytes, by the one instruction that can do it. The log keeps the lower half of a value.
#[repr(C, align(16))]
struct Atomic128(core::cell::UnsafeCell<u128>);

impl Atomic128 {
    unsafe fn from_ptr<'a>(address: *mut u128) -> &'a Atomic128 {
        &*address.cast()
    }

    fn compare_exchange(
        &self,
        old: u128,
        new: u128,
        _: core::sync::atomic::Ordering,
        _: core::sync::atomic::Ordering,
    ) -> Result<u128, u128> {
        let (mut low, mut high) = (old as u64, (old >> 64) as u64);
        let swapped: u8;
        unsafe {
            // rbx is the compiler's own: exchanged around the instruction.
            core::arch::asm!(
                "xchg rsi, rbx",
                "lock cmpxchg16b [rdi]",
                "sete r8b",
                "mov rbx, rsi",
                inout("rsi") new as u64 => _,
                in("rdi") self.0.get(),
                out("r8b") swapped,
                inout("rax") low,
                inout("rdx") high,
                in("rcx") (new >> 64) as u64,
            );
        }
        let found = (high as u128) << 64 | low as u128;
        if swapped != 0 { Ok(found) } else { Err(found) }
    }

    fn load(&self, order: core::sync::atomic::Ordering) -> u128 {
        // Writes back what is there: the same value, or nothing.
        self.compare_exchange(0, 0, order, order).unwrap_or_else(|found| found)
    }

    fn swap(&self, value: u128, order: core::sync::atomic::Ordering) -> u128 {
        let mut old = self.load(order);
        while let Err(found) = self.compare_exchange(old, value, order, order) {
            old = found;
        }
        old
    }

    fn store(&self, value: u128, order: core::sync::atomic::Ordering) {
        self.swap(value, order);
    }
}

unsafe extern "C" fn thread_fence(order: c_int) {
    let pc = CALLER;
    fence(SeqCst);
    if !ACTIVE {
        return crate::paths::note_time();
    }
    enter();
    let mut pending = Pending::new(Kind::Fence, 0, pc);
    pending.writes = false;
    turn(pending);
    log::event(&pending, (order as u8) & record_flag::ORDER, 0, 0, 0);
    done();
    crate::native::passed();
}

shims! {
    __tsan_atomic_thread_fence => thread_fence;
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn __tsan_atomic_signal_fence(_: c_int) {}
