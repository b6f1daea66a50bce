//! A recording: the ways of threads without an order, as `unpick record` keeps them (`*.paths`).

use crate::TraceError;
use serde::{Deserialize, Serialize};
use std::path::Path;
use unpick_model::Way;

/// A run under the system's own scheduler.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Recording {
    pub program: String,
    pub build_id: String,
    pub args: Vec<String>,
    /// How the process ended: one of the two.
    pub exit: Option<i32>,
    pub signal: Option<i32>,
    /// In the order in which they were created.
    pub threads: Vec<Way>,
}

impl Recording {
    pub fn failed(&self) -> bool {
        self.exit != Some(0)
    }

    /// How each thread is called by who created whom: main is `[]`, its second thread `[1]`.
    pub fn names(&self) -> Vec<Option<Vec<usize>>> {
        let mut names: Vec<Option<Vec<usize>>> = vec![None; self.threads.len()];
        if let Some(main) = names.first_mut() {
            *main = Some(Vec::new());
        }
        // Who creates has a smaller number than who is created.
        for creator in 0..self.threads.len() {
            let Some(name) = names[creator].clone() else { continue };
            for (number, created) in self.threads[creator].created.iter().enumerate() {
                if let Some(slot) = names.get_mut(*created as usize) {
                    *slot = Some([&name[..], &[number]].concat());
                }
            }
        }
        names
    }
}

const MAGIC: &[u8] = b"unpick paths 1\n";
/// A file that says more than this of itself is none of ours.
const MOST_BYTES: usize = 8 << 30;

/// Does the file begin as a recording does?
pub fn is_recording(path: &Path) -> bool {
    use std::io::Read;
    let mut begin = [0; MAGIC.len()];
    std::fs::File::open(path).and_then(|mut file| file.read_exact(&mut begin)).is_ok()
        && begin == MAGIC
}

pub fn write_recording(recording: &Recording, path: &Path) -> Result<(), TraceError> {
    let io = |source| TraceError::Io { path: path.to_path_buf(), source };
    let damaged = |what: String| TraceError::Damaged { path: path.to_path_buf(), what };
    let plain = postcard::to_stdvec(recording).map_err(|error| damaged(error.to_string()))?;
    let packed = zstd::bulk::compress(&plain, 3).map_err(io)?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend((plain.len() as u64).to_le_bytes());
    bytes.extend(crc32fast::hash(&packed).to_le_bytes());
    bytes.extend(packed);
    std::fs::write(path, bytes).map_err(io)
}

pub fn read_recording(path: &Path) -> Result<Recording, TraceError> {
    let bytes = std::fs::read(path)
        .map_err(|source| TraceError::Io { path: path.to_path_buf(), source })?;
    recording_from_bytes(&bytes)
        .map_err(|what| TraceError::Damaged { path: path.to_path_buf(), what: what.into() })
}

/// Why not, in words.
pub fn recording_from_bytes(bytes: &[u8]) -> Result<Recording, &'static str> {
    let rest = bytes.strip_prefix(MAGIC).ok_or("it is no recording")?;
    let (length, rest) = rest.split_first_chunk::<8>().ok_or("it is cut short")?;
    let (sum, packed) = rest.split_first_chunk::<4>().ok_or("it is cut short")?;
    if crc32fast::hash(packed) != u32::from_le_bytes(*sum) {
        return Err("its checksum does not fit: it is cut short or was changed");
    }
    let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
    if length > MOST_BYTES || length / 5000 > packed.len() {
        return Err("it is too large");
    }
    let plain = zstd::bulk::decompress(packed, length).map_err(|_| "it cannot be unpacked")?;
    postcard::from_bytes(&plain).map_err(|_| "it holds something else than a recording")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Recording {
        let way = Way { blocks: vec![1, 2, 300_000], created: vec![1], cut: false };
        Recording {
            program: "/tmp/bank".into(),
            build_id: "12".into(),
            args: vec!["x".into()],
            exit: None,
            signal: Some(6),
            threads: vec![way, Way::default()],
        }
    }

    #[test]
    fn what_was_written_is_read_again() {
        let file = std::env::temp_dir().join(format!("unpick-{}.paths", std::process::id()));
        write_recording(&sample(), &file).expect("it can be written");
        assert!(is_recording(&file));
        assert_eq!(read_recording(&file).expect("it can be read"), sample());
        let bytes = std::fs::read(&file).expect("it is there");
        let _ = std::fs::remove_file(&file);
        for length in 0..bytes.len() {
            assert!(recording_from_bytes(&bytes[..length]).is_err(), "cut at {length}");
        }
        for place in MAGIC.len() + 8..bytes.len() {
            let mut changed = bytes.clone();
            changed[place] ^= 16;
            assert!(recording_from_bytes(&changed).is_err(), "changed at {place}");
        }
    }
}
