//! The bounded model checker: a search over the states of the symbolic engine.
//!
//! | file | its idea |
//! |---|---|
//! | `property` | what must not happen |
//! | `order` | which thread goes first |
//! | `system` | what is searched: states, and what threads do in them |
//! | `search` | depth first through the interleavings, and why the reduction is sound |
//! | `path` | what happened before what on the present path |
//! | `monotonic` | the reduction of paper 002 |
//! | `engine` | the symbolic engine as such a system |
//! | `checker` | bounds that grow, and what follows from a search |
//! | `induction` | k-induction for a loop without a bound |
//! | `witness` | the same for other tools |
//! | `foreign` | what a witness of another tool tells |
//! | `guided` | a search that keeps near to what such a witness tells |

mod checker;
mod clock;
mod engine;
pub mod foreign;
mod guided;
mod induction;
mod monotonic;
mod order;
mod path;
mod property;
mod search;
mod system;
pub mod witness;

pub use checker::{Counterexample, Given, Progress, RaceMethod, Report, Settings, Verdict, check};
pub use engine::Notes;
pub use guided::{Followed, follow};
pub use order::Order;
pub use path::Path;
pub use property::{Properties, Property, PropertyError};
pub use search::{Counts, Limits, Outcome, Reduction, Search, Watch};
pub use system::{Ending, System};
