//! Which lines are to blame, and which values would have helped (paper 004, after Griesmayer).
//!
//! A failing interleaving is kept as who ran until where ([`Trail`]), so that it can be followed by a program that is
//! not quite the same any more. Then one [`Spot`] after the other (what is assigned, read, compared with, decided by, or
//! there at the beginning) may have any value but its own, the same at each visit, while all else stays: where a value
//! exists with which the interleaving ends well, the spot is a suspect. A value that ends well in all other
//! interleavings, too, is worth more than one that only helps here.
//!
//! | file | its idea |
//! |---|---|
//! | `spots` | the values of a program that can be asked about, and the program with another value there |
//! | `trail` | an interleaving as switches at places, and how it is followed |
//! | `syntax` | a source file as blocks of statements |
//! | `cxx` | what C++ writes in its own way |
//! | `words` | how locks are written, in C and in C++ |
//! | `edits` | changes of a file's text |
//! | `fixes` | changes of synchronisation that might help: to be tried |
//! | `regions` | the same for ranges that are to be one step |
//! | `guards` | the same with C++'s guards |
//! | `joins` | the same for when threads are waited for |
//! | `orders` | the same for the order in which atomics are written |
//! | `foresight` | would the failing run still be possible with such a change? |
//! | `emit` | the interleaving as one sequential C file |
//! | `diagnose` | for each spot: is there a value that helps, here and everywhere? |
//! | `counts` | the same for numbers that say how many may pass, which is no matter of one interleaving |
//! | `visits` | the same, with a value of its own for each visit |
//! | `pairs` | the same, for two spots together |
//! | `sites` | the lines to look at first, from both |
//! | `spectrum` | a plain ranking of lines by passing and failing runs, for comparison |

mod counts;
mod cxx;
mod diagnose;
mod edits;
mod emit;
mod fixes;
mod foresight;
mod guards;
mod joins;
mod orders;
mod pairs;
mod regions;
mod releases;
mod sites;
mod spectrum;
mod spots;
pub mod syntax;
mod trail;
mod visits;
mod words;

pub use counts::is_count;
pub use diagnose::{Diagnosis, Question, Suspect, diagnose};
pub use emit::{Emission, emit};
pub use fixes::{Evidence, Fix, FixKind, candidates};
pub use foresight::Foresight;
pub use pairs::Pair;
pub use sites::{Clue, Site, sites};
pub use spectrum::Spectrum;
pub use spots::{Answer, Part, Spot, all_spots, with_answers};
pub use trail::{At, Step, Stop, Switch, Trail, TrailError};
