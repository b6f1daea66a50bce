//! Traces written by hand.
