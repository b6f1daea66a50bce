//! A number from memory, as people would write it.

/// From here up to zero a number that reads as negative is taken for negative.
const SMALL: i64 = -1_000_000;

/// `None`: a digest, whose number means nothing.
pub(crate) fn value(bits: u64, size: u32) -> Option<String> {
    Some(match size {
        1 => (bits as u8).to_string(),
        2 => (bits as u16).to_string(),
        4 => {
            let signed = bits as u32 as i32;
            if (SMALL..0).contains(&i64::from(signed)) {
                signed.to_string()
            } else {
                (bits as u32).to_string()
            }
        }
        8 => {
            let signed = bits as i64;
            if (SMALL..0).contains(&signed) {
                signed.to_string()
            } else if looks_like_pointer(bits) || bits > 1 << 53 {
                format!("{bits:#x}")
            } else {
                bits.to_string()
            }
        }
        0..8 => (bits & ((1 << (8 * size)) - 1)).to_string(),
        _ => return None,
    })
}

/// The first bytes of a value of `size`: as text where they are text, else in hexadecimal by words.
pub(crate) fn bytes_text(bytes: &[u8], size: usize) -> String {
    const SHOWN: usize = 8;
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
    let (text, rest) = bytes.split_at(end);
    let printable = text.iter().all(|byte| (b' '..=b'~').contains(byte));
    if printable && !text.is_empty() && rest.iter().all(|&byte| byte == 0) {
        let cut = text.len() > 4 * SHOWN || (rest.is_empty() && size > bytes.len());
        let text = String::from_utf8_lossy(&text[..text.len().min(4 * SHOWN)]);
        return format!("\"{text}\"{}", if cut { "…" } else { "" });
    }
    if bytes.iter().all(|&byte| byte == 0) {
        return if size > bytes.len() { "0…".into() } else { "0".into() };
    }
    let words: Vec<String> = bytes[..bytes.len().min(SHOWN)]
        .chunks(4)
        .map(|word| word.iter().map(|byte| format!("{byte:02x}")).collect())
        .collect();
    format!("{}{}", words.join(" "), if size > SHOWN { "…" } else { "" })
}

/// Where programs, heaps, libraries and stacks live on 64-bit Linux (position-independent ones, at
/// least: the others cannot be told from counts).
fn looks_like_pointer(bits: u64) -> bool {
    (0x5000_0000_0000..0x8000_0000_0000).contains(&bits)
}

#[cfg(test)]
mod tests {
    use super::{bytes_text, value};

    #[test]
    fn bytes_as_people_read_them() {
        assert_eq!(bytes_text(b"hello\0\0\0\0", 9), "\"hello\"");
        assert_eq!(bytes_text(&[b'a'; 64], 100), format!("\"{}\"…", "a".repeat(32)));
        assert_eq!(bytes_text(&[0; 16], 16), "0");
        assert_eq!(bytes_text(&[0; 64], 4096), "0…");
        assert_eq!(bytes_text(&[1, 0, 0, 0, 2, 0, 0, 0, 3], 9), "01000000 02000000…");
        assert_eq!(bytes_text(b"ab\0cd\x01efgh", 10), "61620063 64016566…");
    }

    #[test]
    fn numbers_as_people_write_them() {
        let cases: &[(u64, u32, &str)] = &[
            (100, 4, "100"),
            (0xffff_ffff, 4, "-1"),
            (0xdead_beef, 4, "3735928559"),
            (0xffff_ffff, 8, "4294967295"),
            (u64::MAX, 8, "-1"),
            (0x5555_5555_6010, 8, "0x555555556010"),
            (0x7fff_f7fc_1000, 8, "0x7ffff7fc1000"),
            (0x3ff0_0000_0000_0000, 8, "0x3ff0000000000000"),
            (0xff, 1, "255"),
            (0x1_0041, 2, "65"),
            (0xff_0000_0001, 3, "1"),
            (7, 0, "0"),
        ];
        for &(bits, size, expected) in cases {
            assert_eq!(value(bits, size).as_deref(), Some(expected), "{bits:#x} of {size}");
        }
        assert_eq!(value(12345, 16), None);
    }
}
