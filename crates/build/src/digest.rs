//! SHA-256 (FIPS 180-4): names units and sources by their content, and guards records.

pub(crate) type Digest = [u8; 32];

/// The first 64 primes; the algorithm's constants are fractions of their roots.
const PRIMES: [u64; 64] = {
    let mut primes = [0; 64];
    let (mut found, mut n) = (0, 2);
    while found < 64 {
        let (mut d, mut prime) = (2, true);
        while d * d <= n {
            if n % d == 0 {
                prime = false;
            }
            d += 1;
        }
        if prime {
            primes[found] = n;
            found += 1;
        }
        n += 1;
    }
    primes
};

/// The first 32 bits behind the point of the `degree`-th root of `n`: the largest r with
/// r^degree <= n * 2^(32 * degree), less its whole part.
const fn root_fraction(n: u64, degree: u32) -> u32 {
    let (mut low, mut high) = (0u128, 1u128 << 37);
    while low + 1 < high {
        let middle = (low + high) / 2;
        let fits = if degree == 2 {
            middle * middle <= (n as u128) << 64
        } else {
            // middle^3 has up to 111 bits: it fits.
            middle * middle * middle <= (n as u128) << 96
        };
        if fits {
            low = middle;
        } else {
            high = middle;
        }
    }
    low as u32
}

const START: [u32; 8] = {
    let mut start = [0; 8];
    let mut i = 0;
    while i < 8 {
        start[i] = root_fraction(PRIMES[i], 2);
        i += 1;
    }
    start
};

const ROUND: [u32; 64] = {
    let mut round = [0; 64];
    let mut i = 0;
    while i < 64 {
        round[i] = root_fraction(PRIMES[i], 3);
        i += 1;
    }
    round
};

pub(crate) fn sha256(bytes: &[u8]) -> Digest {
    let mut state = START;
    let mut chunks = bytes.chunks_exact(64);
    for chunk in &mut chunks {
        compress(&mut state, chunk);
    }
    let rest = chunks.remainder();
    let mut tail = [0; 128];
    tail[..rest.len()].copy_from_slice(rest);
    tail[rest.len()] = 0x80;
    let end = if rest.len() < 56 { 64 } else { 128 };
    tail[end - 8..end].copy_from_slice(&(bytes.len() as u64 * 8).to_be_bytes());
    for chunk in tail[..end].chunks_exact(64) {
        compress(&mut state, chunk);
    }
    let mut digest = [0; 32];
    for (out, word) in digest.chunks_exact_mut(4).zip(state) {
        out.copy_from_slice(&word.to_be_bytes());
    }
    digest
}

fn compress(state: &mut [u32; 8], chunk: &[u8]) {
    let mut w = [0u32; 64];
    for (word, bytes) in w.iter_mut().zip(chunk.chunks_exact(4)) {
        *word = u32::from_be_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
    }
    for i in 16..64 {
        let small0 = w[i - 15].rotate_right(7) ^ w[i - 15].rotate_right(18) ^ (w[i - 15] >> 3);
        let small1 = w[i - 2].rotate_right(17) ^ w[i - 2].rotate_right(19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16].wrapping_add(small0).wrapping_add(w[i - 7]).wrapping_add(small1);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for i in 0..64 {
        let big1 = e.rotate_right(6) ^ e.rotate_right(11) ^ e.rotate_right(25);
        let choice = (e & f) ^ (!e & g);
        let one =
            h.wrapping_add(big1).wrapping_add(choice).wrapping_add(ROUND[i]).wrapping_add(w[i]);
        let big0 = a.rotate_right(2) ^ a.rotate_right(13) ^ a.rotate_right(22);
        let majority = (a & b) ^ (a & c) ^ (b & c);
        let two = big0.wrapping_add(majority);
        (h, g, f, e, d, c, b, a) = (g, f, e, d.wrapping_add(one), c, b, a, one.wrapping_add(two));
    }
    for (s, v) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *s = s.wrapping_add(v);
    }
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_digests() {
        let of = |b: &[u8]| hex(&sha256(b));
        assert_eq!(of(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(of(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        assert_eq!(
            of(b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        );
        assert_eq!(
            of(&[b'a'; 1_000_000]),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
        );
    }
}
