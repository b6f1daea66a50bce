//! What is observed, and how its values are written.

use std::sync::Arc;

/// The value of a variable in a sample; `None` where it makes no sense: behind a null pointer, or not known.
///
/// Integers as they are (of eight bytes without a sign: as if they had one), pointers by their address, numbers with
/// a fraction as a key that has the same order.
pub type Value = Option<i64>;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    Signed,
    Unsigned,
    Boolean,
    /// Of four or eight bytes.
    Float,
    Pointer,
    Enumeration(Arc<[(i64, String)]>),
}

/// Where a variable is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Location {
    Fixed(u64),
    /// So far behind where another variable, by its number, points to.
    Behind {
        pointer: usize,
        offset: u64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    pub name: String,
    pub kind: Kind,
    pub location: Location,
    pub size: u32,
    /// The array that it is an element of: `ring[].seq`.
    pub sequence: Option<String>,
}

impl Variable {
    /// The value that so many bytes mean.
    pub fn value(&self, bits: u64) -> i64 {
        let unused = 64 - 8 * self.size.min(8);
        match self.kind {
            Kind::Signed | Kind::Enumeration(_) => ((bits << unused) as i64) >> unused,
            Kind::Unsigned | Kind::Boolean | Kind::Pointer => (bits << unused >> unused) as i64,
            Kind::Float if self.size == 4 => ordered(f64::from(f32::from_bits(bits as u32))),
            Kind::Float => ordered(f64::from_bits(bits)),
        }
    }
}

/// A key with the order of the number; both zeros are one.
fn ordered(number: f64) -> i64 {
    let bits = (number + 0.0).to_bits() as i64;
    if bits < 0 { i64::MIN - bits } else { bits }
}

fn number(key: i64) -> f64 {
    f64::from_bits(if key < 0 { i64::MIN - key } else { key } as u64)
}

impl Kind {
    /// Sums and differences mean something.
    pub fn is_integer(&self) -> bool {
        matches!(self, Kind::Signed | Kind::Unsigned)
    }

    /// Larger and smaller mean something.
    pub fn is_ordered(&self) -> bool {
        self.is_integer() || *self == Kind::Float
    }

    /// Do the values of the two mean the same sort of thing?
    pub fn is_like(&self, other: &Kind) -> bool {
        self == other || self.is_integer() && other.is_integer()
    }

    pub fn show(&self, value: i64, names: &dyn Names) -> String {
        match self {
            Kind::Float => format!("{:?}", number(value)),
            Kind::Pointer if value == 0 => "null".into(),
            Kind::Pointer => match names.address(value as u64) {
                Some(name) => format!("&{name}"),
                None => format!("{value:#x}"),
            },
            Kind::Enumeration(values) => match values.iter().find(|(known, _)| *known == value) {
                Some((_, name)) => name.clone(),
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }
}

/// Names for the addresses that pointers have.
pub trait Names {
    /// A variable at a fixed address. What has none has another address in another run.
    fn address(&self, address: u64) -> Option<String>;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(kind: Kind, size: u32) -> Variable {
        Variable { name: "x".into(), kind, location: Location::Fixed(0), size, sequence: None }
    }

    #[test]
    fn bytes_mean_what_their_type_says() {
        assert_eq!(variable(Kind::Signed, 1).value(0xff), -1);
        assert_eq!(variable(Kind::Unsigned, 1).value(0xff), 255);
        assert_eq!(variable(Kind::Signed, 4).value(0xffff_ffff), -1);
        assert_eq!(variable(Kind::Unsigned, 4).value(0x1_ffff_ffff), 0xffff_ffff);
        assert_eq!(variable(Kind::Signed, 8).value(u64::MAX), -1);
    }

    #[test]
    fn fractions_keep_their_order() {
        let of = |number: f64| variable(Kind::Float, 8).value(number.to_bits());
        let numbers = [-2.5, -1.0, 0.0, 0.5, 1e300];
        assert!(numbers.windows(2).all(|pair| of(pair[0]) < of(pair[1])));
        assert_eq!(of(-0.0), of(0.0));
        assert!(numbers.iter().all(|&wanted| number(of(wanted)) == wanted));
        assert_eq!(variable(Kind::Float, 4).value(0.5f32.to_bits().into()), of(0.5));
    }
}
