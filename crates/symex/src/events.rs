//! What a native run counts: each thread's instrumented events. A schedule speaks of these counts.

use crate::models::Model;

pub const DIRECT: &[(&str, Model)] = &[];
