//! Small traces: written by hand, and of random programs, against an oracle that tries every order.

mod by_hand;
mod oracle;
mod programs;
