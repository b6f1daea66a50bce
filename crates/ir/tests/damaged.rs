//! Damaged bitcode is refused and takes nobody down.

use std::path::Path;
use unpick_ir::{ReadError, read, verify};

#[test]
fn changed_bits_are_survived() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/bitcode/initial");
    let whole = std::fs::read(path).expect("the bitcode");
    let (mut good, mut refused, mut fatal) = (0, 0, 0);
    let mut state = 1u64;
    for _ in 0..100 {
        let mut copy = whole.clone();
        for _ in 0..2 {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let bit = (state >> 33) as usize % (copy.len() * 8);
            copy[bit / 8] ^= 1 << (bit % 8);
        }
        match read(&[&copy]) {
            Ok(program) => {
                good += 1;
                assert_eq!(verify(&program), []);
            }
            Err(ReadError::Bitcode { .. }) => refused += 1,
            Err(ReadError::Damaged) => fatal += 1,
            Err(other) => panic!("{other}"),
        }
    }
    // Each of the three is among them, or the test shows nothing.
    assert!(good > 0 && refused > 0 && fatal > 0, "{good} {refused} {fatal}");
}
