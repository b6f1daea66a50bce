//! A recording of threads' ways. What decodes can be named.
#![no_main]

unpick_fuzz::target!(|bytes| {
    let _ = unpick_trace::recording_from_bytes(bytes);
    if let Ok(recording) = unpick_trace::recording_from_bytes(&sealed(bytes)) {
        assert_eq!(recording.names().len(), recording.threads.len());
    }
});

/// The bytes as what is packed in a file whose lengths and checksum fit.
fn sealed(bytes: &[u8]) -> Vec<u8> {
    let packed = zstd::bulk::compress(bytes, 1).expect("anything can be packed");
    let mut file = b"unpick paths 1\n".to_vec();
    file.extend((bytes.len() as u64).to_le_bytes());
    file.extend(crc32fast::hash(&packed).to_le_bytes());
    file.extend(packed);
    file
}
