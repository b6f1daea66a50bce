//! The encoding does not describe itself: if this fails, a serialised type of `model` has changed and the
//! format needs a new version (and a way to read the old one). `UNPICK_BLESS=1` writes the file anew.

mod common;

use std::path::Path;

#[test]
fn a_file_of_version_3_reads_as_ever() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v3.unpick");
    if std::env::var_os("UNPICK_BLESS").is_some() {
        unpick_trace::write(&common::sample(), &path).unwrap();
    }
    assert_eq!(unpick_trace::read(&path).unwrap(), common::sample());
}

#[test]
fn an_older_file_is_refused_with_its_version() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/v2.unpick");
    let error = unpick_trace::read(&path).unwrap_err();
    assert!(matches!(error, unpick_trace::TraceError::OldVersion { found: 2, reads: 3, .. }));
    assert!(error.to_string().contains("older unpick"), "{error}");
}
