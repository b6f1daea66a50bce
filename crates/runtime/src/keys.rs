//! Thread-specific data: which keys have destructors.
//!
//! libc calls them in passes, at most four, by the numbers of the keys. Ours is the first, and in the fourth
//! pass it ends the thread (see `threads`); what the program's own destructors had to do in that pass is
//! therefore done here, before.

use crate::shim::shims;
use crate::sys::{P, real};
use core::ffi::c_int;

pub type Destructor = unsafe extern "C-unwind" fn(P);

/// PTHREAD_KEYS_MAX of Linux.
const KEYS: usize = 1024;
static mut DESTRUCTORS: [Option<Destructor>; KEYS] = [None; KEYS];

pub unsafe extern "C-unwind" fn create(key: *mut u32, destructor: Option<Destructor>) -> c_int {
    let error = real::pthread_key_create(key, destructor);
    if error == 0 && (*key as usize) < KEYS {
        DESTRUCTORS[*key as usize] = destructor;
    }
    error
}

pub unsafe extern "C-unwind" fn delete(key: u32) -> c_int {
    if (key as usize) < KEYS {
        DESTRUCTORS[key as usize] = None;
    }
    real::pthread_key_delete(key)
}

/// The last pass. A value that is set again after it is never destroyed.
pub unsafe extern "C-unwind" fn last_pass() {
    for key in 0..KEYS as u32 {
        let Some(destructor) = DESTRUCTORS[key as usize] else { continue };
        let value = real::pthread_getspecific(key);
        if !value.is_null() {
            real::pthread_setspecific(key, core::ptr::null_mut());
            destructor(value);
        }
    }
    for key in (0..KEYS as u32).filter(|&key| DESTRUCTORS[key as usize].is_some()) {
        if !real::pthread_getspecific(key).is_null() {
            real::pthread_setspecific(key, core::ptr::null_mut());
        }
    }
}

shims! {
    pthread_key_create => create;
    pthread_key_delete => delete;
}
