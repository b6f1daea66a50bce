//! Tables by address: the hash need not resist anybody.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

pub(crate) type Table<V> = HashMap<u64, V, BuildHasherDefault<Spread>>;

#[derive(Default)]
pub(crate) struct Spread(u64);

impl Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte as u64);
        }
    }

    fn write_u64(&mut self, value: u64) {
        let mixed = (self.0 ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }
}
