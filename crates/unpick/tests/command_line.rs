//! Hostile input and rough treatment of the command line.
