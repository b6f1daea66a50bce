//! Happens-before over the events of a run: which accesses race.
