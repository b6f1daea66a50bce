//! A trace file. What decodes is consistent, comes back the same, and can be shown and exported.
#![no_main]

use std::path::Path;
use unpick_model::Trace;
use unpick_report::ShowOptions;

unpick_fuzz::target!(|bytes| {
    let path = Path::new("t");
    let _ = unpick_trace::from_bytes(bytes, path);
    if let Some(sealed) = sealed(bytes)
        && let Ok(trace) = unpick_trace::from_bytes(&sealed, path)
    {
        use_it(&trace);
    }
});

/// The same bytes with checksums that fit: what an accident cannot make, but malice can.
fn sealed(bytes: &[u8]) -> Option<Vec<u8>> {
    const START: usize = 12;
    const FRAME: usize = 32;
    let mut sealed = bytes.to_vec();
    let mut at = START;
    while let Some(header) = sealed.get(at..at.checked_add(FRAME)?) {
        let stored = u64::from_le_bytes(header[8..16].try_into().ok()?);
        let end = (at + FRAME).checked_add(usize::try_from(stored).ok()?)?;
        let Some(covered) = sealed.get(at + 8..end) else { break };
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&sealed[at..at + 4]);
        hasher.update(covered);
        let checksum = hasher.finalize();
        sealed[at + 4..at + 8].copy_from_slice(&checksum.to_le_bytes());
        at = end;
    }
    Some(sealed)
}

fn use_it(trace: &Trace) {
    unpick_trace::check(trace).expect("what is read is consistent");
    let bytes = unpick_trace::to_bytes(trace, Path::new("t")).expect("what was read can be written");
    let again = unpick_trace::from_bytes(&bytes, Path::new("t")).expect("and read again");
    assert_eq!(*trace, again);
    let mut sink = std::io::sink();
    unpick_trace::export_json(trace, &mut sink).expect("a sink takes everything");
    unpick_trace::export_chrome(trace, &mut sink).expect("a sink takes everything");
    let _ = unpick_trace::export_std(trace, &mut sink);
    let _ = unpick_trace::export_std_locations(trace, &mut sink);
    let _ = unpick_report::finding(trace, None, &[]);
    unpick_report::interleaving(trace, &ShowOptions::default(), &|_| None);
}
