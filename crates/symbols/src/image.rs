//! One mapped file with everything known about it.

use crate::elf::{self, ElfSymbols};
use crate::entries::Entries;
use crate::frames::Functions;
use crate::globals::Globals;
use crate::lines::Lines;
use crate::types::{TypeReader, Types};
use crate::{Module, SymbolsError};

pub(crate) struct Image {
    /// Address in the process minus address in the file.
    pub bias: u64,
    start: u64,
    end: u64,
    pub lines: Lines,
    pub functions: Functions,
    pub globals: Globals,
    pub types: Types,
    pub elf: ElfSymbols,
}

impl Image {
    pub(crate) fn load(module: &Module) -> Result<Image, SymbolsError> {
        let path = &module.path;
        // Read, not mapped: a build may rewrite the file under us.
        let bytes = std::fs::read(path)
            .map_err(|source| SymbolsError::Read { path: path.clone(), source })?;
        let file = elf::parse(path, &bytes)?;
        let extent = elf::extent(&file);
        let bias = if elf::is_relocatable(&file) { module.base.wrapping_sub(extent.0) } else { 0 };
        let sections = gimli::DwarfSections::load(|id| elf::section(path, &file, id.name()))?;
        let mut image = Image {
            bias,
            start: extent.0.wrapping_add(bias),
            end: extent.1.wrapping_add(bias),
            lines: Lines::default(),
            functions: Functions::default(),
            globals: Globals::default(),
            types: Types::default(),
            elf: ElfSymbols::read(&file),
        };
        image
            .read_debug_information(&sections)
            .map_err(|source| SymbolsError::Dwarf { path: path.clone(), source })?;
        Ok(image)
    }

    fn read_debug_information(
        &mut self,
        sections: &gimli::DwarfSections<Vec<u8>>,
    ) -> gimli::Result<()> {
        let dwarf =
            sections.borrow(|section| gimli::EndianSlice::new(section, gimli::LittleEndian));
        let entries = Entries::read(dwarf)?;
        self.lines = Lines::read(&entries.dwarf, &entries.units)?;
        let mut types = TypeReader::new(&entries);
        self.functions = Functions::read(&entries, &mut types, &self.elf)?;
        self.globals = Globals::read(&entries, &mut types, &self.elf)?;
        self.types = types.finish()?;
        Ok(())
    }

    pub(crate) fn contains(&self, address: u64) -> bool {
        (self.start..self.end).contains(&address)
    }
}
