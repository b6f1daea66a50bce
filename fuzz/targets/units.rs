//! The records that the compiler wrapper leaves in a program: as they are, and as the contents of a
//! record whose lengths and checksum fit.
#![no_main]

use unpick_build::record;

unpick_fuzz::target!(|bytes| {
    let _ = record::decode_all(bytes);
    let enclosed = record::enclose(bytes).expect("memory is enough");
    if let Ok(units) = record::decode_all(&enclosed) {
        assert_eq!(units.len(), 1);
    }
});
