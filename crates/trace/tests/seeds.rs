//! Makes seeds for the fuzz target of traces: `UNPICK_SEEDS=FROM:TO cargo test -p unpick-trace --test seeds
//! -- --ignored` takes the traces in the folder FROM and leaves them in TO with frames that are not
//! compressed, so that a changed byte is a changed value.

use std::fs;
use std::path::Path;

const START: usize = 12;
const FRAME: usize = 32;

fn number(bytes: &[u8]) -> usize {
    u64::from_le_bytes(bytes.try_into().unwrap()) as usize
}

fn uncompressed(file: &[u8]) -> Vec<u8> {
    let mut plain = file[..START].to_vec();
    let mut at = START;
    while at < file.len() {
        let mut header = file[at..at + FRAME].to_vec();
        let (stored, full) = (number(&header[8..16]), number(&header[16..24]));
        let payload = &file[at + FRAME..at + FRAME + stored];
        let payload = match header[1] {
            1 => payload.to_vec(),
            _ => zstd::bulk::decompress(payload, full).unwrap(),
        };
        header[1] = 1;
        header[8..16].copy_from_slice(&(full as u64).to_le_bytes());
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&header[..4]);
        hasher.update(&header[8..]);
        hasher.update(&payload);
        header[4..8].copy_from_slice(&hasher.finalize().to_le_bytes());
        plain.extend(header);
        plain.extend(payload);
        at += FRAME + stored;
    }
    plain
}

#[test]
#[ignore = "makes files; see above"]
fn make_seeds() {
    let folders = std::env::var("UNPICK_SEEDS").expect("UNPICK_SEEDS=FROM:TO");
    let (from, to) = folders.split_once(':').expect("FROM:TO");
    for entry in fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_none_or(|extension| extension != "unpick") {
            continue;
        }
        let plain = uncompressed(&fs::read(&path).unwrap());
        unpick_trace::from_bytes(&plain, &path).expect("a seed is a trace");
        fs::write(Path::new(to).join(path.file_stem().unwrap()), plain).unwrap();
    }
}
