//! The directives of a `printf` format, and the arguments that they take: one after the other, or by position
//! (`%2$s`).

use crate::arguments::List;
use crate::libc::S;
use core::ffi::c_int;

/// What stands between `%` and the letter.
#[derive(Default)]
pub struct Directive {
    /// How many letters `l`, `q` (two), `j`, `z`, `t`.
    pub long: u8,
    pub long_double: bool,
    pub short: u8,
    pub letter: u8,
}

impl Directive {
    /// Reads the length and the letter; returns what follows.
    pub unsafe fn parse(&mut self, mut at: S) -> S {
        loop {
            self.letter = *at as u8;
            match self.letter {
                b'l' | b'j' | b'z' | b't' => self.long += 1,
                b'q' => self.long += 2,
                b'L' => self.long_double = true,
                b'h' => self.short += 1,
                0 => return at,
                _ => return at.add(1),
            }
            at = at.add(1);
        }
    }

    pub fn integer_bytes(&self) -> usize {
        match (self.long, self.short) {
            (0, 0) => 4,
            (0, 1) => 2,
            (0, _) => 1,
            _ => 8,
        }
    }
}

pub unsafe fn digits(at: &mut S) -> Option<usize> {
    let mut number = None;
    while (**at as u8).is_ascii_digit() {
        let digit = (**at as u8 - b'0') as usize;
        number = Some(number.unwrap_or(0usize).saturating_mul(10).saturating_add(digit));
        *at = at.add(1);
    }
    number
}

/// A width or a precision.
pub enum Number {
    Absent,
    Given(usize),
    /// `*`: the next argument; `*3$`: the third one.
    Argument(Option<usize>),
}

impl Number {
    unsafe fn read(at: &mut S) -> Number {
        if **at as u8 != b'*' {
            return digits(at).map_or(Number::Absent, Number::Given);
        }
        *at = at.add(1);
        Number::Argument(position(at))
    }
}

/// `3$`: the third argument.
unsafe fn position(at: &mut S) -> Option<usize> {
    let mut behind = *at;
    let number = digits(&mut behind)?;
    if *behind as u8 != b'$' {
        return None;
    }
    *at = behind.add(1);
    Some(number)
}

/// All of a directive, from `%` to its letter.
pub struct Conversion {
    position: Option<usize>,
    pub width: Number,
    pub precision: Number,
    pub directive: Directive,
}

impl Conversion {
    /// The next one of the format, of which `at` is what is left.
    pub unsafe fn next(at: &mut S) -> Option<Conversion> {
        while **at as u8 != b'%' {
            if **at == 0 {
                return None;
            }
            *at = at.add(1);
        }
        *at = at.add(1);
        let position = position(at);
        while **at != 0 && b"-+ #0'I".contains(&(**at as u8)) {
            *at = at.add(1);
        }
        let width = Number::read(at);
        let mut precision = Number::Absent;
        if **at as u8 == b'.' {
            *at = at.add(1);
            precision = match Number::read(at) {
                Number::Absent => Number::Given(0),
                number => number,
            };
        }
        let mut directive = Directive::default();
        *at = directive.parse(*at);
        Some(Conversion { position, width, precision, directive })
    }

    fn takes(&self) -> Takes {
        match self.directive.letter {
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                if self.directive.long_double {
                    Takes::LongDouble
                } else {
                    Takes::Float
                }
            }
            b'd' | b'i' | b'o' | b'u' | b'x' | b'X' | b'c' | b'C' | b'p' | b's' | b'S' | b'n'
            | b'b' | b'B' => Takes::Word,
            _ => Takes::Nothing,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Takes {
    Nothing,
    Word,
    Float,
    LongDouble,
}

impl Takes {
    /// The value, if it is an integer or a pointer.
    unsafe fn from(self, list: &mut List) -> u64 {
        match self {
            Takes::Nothing => return 0,
            Takes::Word => return list.word(),
            Takes::Float => list.skip_float(),
            Takes::LongDouble => list.skip_long_double(),
        }
        0
    }
}

/// Positions beyond are not looked at.
const POSITIONS: usize = 24;

pub enum Arguments {
    InOrder(List),
    ByPosition([u64; POSITIONS]),
}

impl Arguments {
    pub unsafe fn of(format: S, mut list: List) -> Arguments {
        // What no directive names is taken for an integer.
        let mut kinds = [Takes::Word; POSITIONS];
        let mut positional = false;
        let mut at = format;
        while let Some(conversion) = Conversion::next(&mut at) {
            let Some(position) = conversion.position else { continue };
            positional = true;
            if let Some(kind) = kinds.get_mut(position.wrapping_sub(1)) {
                *kind = conversion.takes();
            }
        }
        if !positional {
            return Arguments::InOrder(list);
        }
        Arguments::ByPosition(kinds.map(|kind| kind.from(&mut list)))
    }

    unsafe fn word(&mut self, kind: Takes, position: Option<usize>) -> u64 {
        match self {
            Arguments::InOrder(list) => kind.from(list),
            Arguments::ByPosition(values) => {
                let at = position.map_or(usize::MAX, |position| position.wrapping_sub(1));
                values.get(at).copied().unwrap_or(0)
            }
        }
    }

    /// A negative one counts as none.
    pub unsafe fn number(&mut self, number: &Number) -> Option<usize> {
        match *number {
            Number::Absent => None,
            Number::Given(number) => Some(number),
            Number::Argument(position) => {
                usize::try_from(self.word(Takes::Word, position) as c_int).ok()
            }
        }
    }

    /// What the conversion shows, if it is an integer or a pointer.
    pub unsafe fn value(&mut self, conversion: &Conversion) -> u64 {
        self.word(conversion.takes(), conversion.position)
    }
}
