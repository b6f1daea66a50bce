//! Statements and labels, and which line of the user's source each belongs to.
//!
//! All statements of one source line become one line of the file, behind a `#line` that names it: a debugger then steps
//! through the source, and `__FILE__` and `__LINE__` are the user's own. Labels that nobody goes to are left out.

use std::collections::BTreeSet;
use unpick_ir::{Place, Program};

enum Piece {
    Code(Place, String),
    Label(String),
    /// Begins or ends a scope.
    Brace(String),
}

#[derive(Default)]
pub(super) struct Text {
    pieces: Vec<Piece>,
    wanted: BTreeSet<String>,
    last: Place,
}

impl Text {
    pub fn code(&mut self, place: Place, text: impl Into<String>) {
        if place.line != 0 {
            self.last = place;
        }
        self.pieces.push(Piece::Code(self.last, text.into()));
    }

    pub fn label(&mut self, name: &str) {
        self.pieces.push(Piece::Label(name.into()));
    }

    pub fn brace(&mut self, text: impl Into<String>) {
        self.pieces.push(Piece::Brace(text.into()));
    }

    /// `goto name;`, or something with it inside.
    pub fn wants(&mut self, name: &str) {
        self.wanted.insert(name.into());
    }

    pub fn wanted(&self, name: &str) -> bool {
        self.wanted.contains(name)
    }

    pub fn print(&self, program: &Program) -> String {
        let mut out = String::new();
        let mut line: Option<(u32, u32)> = None;
        let mut open = false;
        for piece in &self.pieces {
            let (text, place) = match piece {
                Piece::Label(name) if !self.wanted.contains(name) => continue,
                Piece::Label(name) => (format!("{name}:;"), None),
                Piece::Brace(text) => (text.clone(), None),
                Piece::Code(place, text) => (text.clone(), Some((place.file, place.line))),
            };
            let stays = open && (place.is_none() || place == line);
            if stays {
                out.push(' ');
            } else {
                if open {
                    out.push('\n');
                }
                if let Some((file, number)) = place.filter(|(_, number)| *number != 0) {
                    let file = program.files.get(file as usize).map_or("?", |file| file.as_str());
                    out.push_str(&format!("#line {number} {}\n", quoted(file)));
                    line = place;
                }
                out.push_str("    ");
                open = true;
            }
            out.push_str(&text);
        }
        if open {
            out.push('\n');
        }
        out
    }
}

/// As a string of C.
pub(super) fn quoted(text: &str) -> String {
    bytes_quoted(text.as_bytes())
}

pub(super) fn bytes_quoted(bytes: &[u8]) -> String {
    let mut out = String::from("\"");
    for byte in bytes {
        match byte {
            b'"' | b'\\' => out.push_str(&format!("\\{}", *byte as char)),
            b'\n' => out.push_str("\\n"),
            b'?' => out.push_str("\\?"),
            0x20..=0x7e => out.push(*byte as char),
            _ => out.push_str(&format!("\\{byte:03o}")),
        }
    }
    out.push('"');
    out
}
