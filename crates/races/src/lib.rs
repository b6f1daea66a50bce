//! Races and deadlocks that a run in which nothing went wrong shows to be possible.
