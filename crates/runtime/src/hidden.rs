//! Functions of libc with a state that the program cannot see: random numbers and the environment. The state
//! is an object: using it is an access to a byte that stands for it.

use crate::access::range;
use crate::libc::{M, S, libc};
use crate::policy;
use crate::shim::{CALLER, shims};
use crate::state::ACTIVE;
use core::ffi::{c_int, c_long};

static mut NUMBERS: u8 = 0;
static mut ENVIRONMENT: u8 = 0;

unsafe fn draw(pc: u64) {
    range((&raw const NUMBERS) as u64, 1, true, pc);
}

/// The same for a number: the plan's, where it has one.
unsafe fn planned(pc: u64) -> Option<u64> {
    let number = if ACTIVE { policy::drawn() } else { None };
    draw(pc);
    number
}

unsafe fn environment(write: bool, pc: u64) {
    range((&raw const ENVIRONMENT) as u64, 1, write, pc);
}

unsafe extern "C" fn rand_hook() -> c_int {
    match planned(CALLER) {
        Some(number) => number as c_int,
        None => libc!("rand", (): fn() -> c_int),
    }
}

unsafe extern "C" fn srand_hook(seed: u32) {
    draw(CALLER);
    libc!("srand", (seed): fn(u32) -> ())
}

unsafe extern "C" fn random_hook() -> c_long {
    match planned(CALLER) {
        Some(number) => number as c_long,
        None => libc!("random", (): fn() -> c_long),
    }
}

unsafe extern "C" fn srandom_hook(seed: u32) {
    draw(CALLER);
    libc!("srandom", (seed): fn(u32) -> ())
}

unsafe extern "C" fn lrand48_hook() -> c_long {
    match planned(CALLER) {
        Some(number) => number as c_long,
        None => libc!("lrand48", (): fn() -> c_long),
    }
}

unsafe extern "C" fn srand48_hook(seed: c_long) {
    draw(CALLER);
    libc!("srand48", (seed): fn(c_long) -> ())
}

unsafe extern "C" fn getenv_hook(name: S) -> M {
    environment(false, CALLER);
    libc!("getenv", (name): fn(S) -> M)
}

unsafe extern "C" fn setenv_hook(name: S, value: S, replace: c_int) -> c_int {
    environment(true, CALLER);
    libc!("setenv", (name, value, replace): fn(S, S, c_int) -> c_int)
}

unsafe extern "C" fn unsetenv_hook(name: S) -> c_int {
    environment(true, CALLER);
    libc!("unsetenv", (name): fn(S) -> c_int)
}

unsafe extern "C" fn putenv_hook(text: M) -> c_int {
    environment(true, CALLER);
    libc!("putenv", (text): fn(M) -> c_int)
}

shims! {
    rand => rand_hook;
    srand => srand_hook;
    random => random_hook;
    srandom => srandom_hook;
    lrand48 => lrand48_hook;
    srand48 => srand48_hook;
    getenv => getenv_hook;
    setenv => setenv_hook;
    unsetenv => unsetenv_hook;
    putenv => putenv_hook;
}
