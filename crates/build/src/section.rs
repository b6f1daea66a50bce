//! One more section for an object file.
//!
//! Nothing in the file moves: what is new goes behind it, with a new table of sections, and the old table is left as a
//! gap. objcopy would do, but it takes longer to start than the compiler to translate a small unit.

use object::elf::{ELFCLASS64, ELFDATA2LSB, SHN_LORESERVE, SHT_PROGBITS};

const HEADER: usize = 64;
const ENTRY: usize = 64;
/// Where the file's header has what changes.
const TABLE: usize = 0x28;
const ENTRY_SIZE: usize = 0x3a;
const ENTRIES: usize = 0x3c;
const NAMES: usize = 0x3e;
/// Where an entry of the table has what is needed here.
const KIND: usize = 4;
const OFFSET: usize = 24;
const SIZE: usize = 32;
const ALIGNMENT: usize = 48;

/// `object` with a section that is not loaded; `None` where it is no ordinary object of 64 bits.
pub(crate) fn added(object: &[u8], name: &str, data: &[u8]) -> Option<Vec<u8>> {
    let ordinary = object.starts_with(b"\x7fELF")
        && object.get(4..6)? == [ELFCLASS64, ELFDATA2LSB]
        && short(object, ENTRY_SIZE)? == ENTRY;
    let (entries, names) = (short(object, ENTRIES)?, short(object, NAMES)?);
    // From here on numbers of sections stand elsewhere.
    let most = usize::from(SHN_LORESERVE);
    if !ordinary || entries == 0 || entries + 1 >= most || names >= entries {
        return None;
    }
    let begin = long(object, TABLE)?;
    let table = object.get(begin..begin.checked_add(entries * ENTRY)?)?;
    let entry_of_names = names * ENTRY;
    let begin = long(table, entry_of_names + OFFSET)?;
    let old_names = object.get(begin..begin.checked_add(long(table, entry_of_names + SIZE)?)?)?;

    let mut whole = object.to_vec();
    let data_at = aligned(&mut whole);
    whole.extend_from_slice(data);
    let names_at = aligned(&mut whole);
    whole.extend_from_slice(old_names);
    whole.extend_from_slice(name.as_bytes());
    whole.push(0);
    let names_size = whole.len() - names_at;
    let table_at = aligned(&mut whole);
    whole.extend_from_slice(table);
    put(&mut whole, table_at + entry_of_names + OFFSET, names_at as u64);
    put(&mut whole, table_at + entry_of_names + SIZE, names_size as u64);

    let mut entry = [0; ENTRY];
    entry[..4].copy_from_slice(&u32::try_from(old_names.len()).ok()?.to_le_bytes());
    entry[KIND..KIND + 4].copy_from_slice(&SHT_PROGBITS.to_le_bytes());
    put(&mut entry, OFFSET, data_at as u64);
    put(&mut entry, SIZE, data.len() as u64);
    put(&mut entry, ALIGNMENT, 1);
    whole.extend_from_slice(&entry);

    put(&mut whole, TABLE, table_at as u64);
    let entries = u16::try_from(entries + 1).ok()?.to_le_bytes();
    whole.get_mut(..HEADER)?[ENTRIES..ENTRIES + 2].copy_from_slice(&entries);
    Some(whole)
}

fn short(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at + 2)?.try_into().ok()?;
    Some(u16::from_le_bytes(word).into())
}

fn long(bytes: &[u8], at: usize) -> Option<usize> {
    let word = bytes.get(at..at.checked_add(8)?)?.try_into().ok()?;
    usize::try_from(u64::from_le_bytes(word)).ok()
}

fn put(bytes: &mut [u8], at: usize, value: u64) {
    bytes[at..at + 8].copy_from_slice(&value.to_le_bytes());
}

/// Where the next thing begins.
fn aligned(bytes: &mut Vec<u8>) -> usize {
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::added;
    use object::{Object, ObjectSection};

    /// This very test is a file with many sections.
    fn elf() -> Vec<u8> {
        std::fs::read(std::env::current_exe().unwrap()).unwrap()
    }

    #[test]
    fn all_that_was_there_stays_and_the_section_is_found() {
        let before = elf();
        let after = added(&before, ".one.more", b"what it holds").unwrap();
        let (old, new) =
            (object::File::parse(&*before).unwrap(), object::File::parse(&*after).unwrap());
        for section in old.sections().filter(|section| section.name() != Ok(".shstrtab")) {
            let same = new.section_by_index(section.index()).unwrap();
            assert_eq!(section.name(), same.name());
            assert_eq!(section.data(), same.data());
        }
        assert_eq!(new.sections().count(), old.sections().count() + 1);
        assert_eq!(new.section_by_name(".one.more").unwrap().data().unwrap(), b"what it holds");
        assert_eq!(new.symbols().count(), old.symbols().count());
        let twice = added(&after, ".another", &[]).unwrap();
        let twice = object::File::parse(&*twice).unwrap();
        assert!(twice.section_by_name(".another").is_some());
        assert!(twice.section_by_name(".one.more").is_some());
    }

    #[test]
    fn what_is_no_object_is_left_alone() {
        let whole = elf();
        for bytes in [&b""[..], b"\x7fELF", b"BC\xc0\xde and more", &whole[..64], &whole[..200]] {
            assert_eq!(added(bytes, ".x", b""), None);
        }
        let mut odd = whole.clone();
        odd[4] = 1;
        assert_eq!(added(&odd, ".x", b""), None, "32 bits");
        for at in [0x28, 0x3a, 0x3c, 0x3e] {
            let mut odd = whole.clone();
            odd[at..at + 2].copy_from_slice(&[0xff, 0xff]);
            odd[at + 1 + (at == 0x28) as usize * 6] = 0xff;
            assert_eq!(added(&odd, ".x", b""), None, "{at:#x}");
        }
    }
}
