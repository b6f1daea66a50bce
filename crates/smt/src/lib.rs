//! Orders of events as formulas.
