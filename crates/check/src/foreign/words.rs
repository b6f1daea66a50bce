//! The constants in what a witness assumes: `x == 5;`, `\result == (-7)`, `(0x10U) == y && z > 1`.

/// What is named, and the number that it equals.
pub fn equalities(text: &str) -> Vec<(&str, i128)> {
    let parts = text.split([';', '&']).filter_map(|part| part.split_once("=="));
    let both = parts.filter_map(|(one, two)| {
        let (one, two) = (bare(one), bare(two));
        match (number(one), number(two)) {
            (None, Some(value)) if is_name(one) => Some((one, value)),
            (Some(value), None) if is_name(two) => Some((two, value)),
            _ => None,
        }
    });
    both.collect()
}

/// Without spaces and brackets around it.
fn bare(text: &str) -> &str {
    text.trim_matches(|c: char| c.is_whitespace() || c == '(' || c == ')')
}

fn is_name(text: &str) -> bool {
    let plain = text.strip_prefix('\\').unwrap_or(text);
    let begins = plain.starts_with(|c: char| c.is_alphabetic() || c == '_');
    begins && plain.chars().all(|c| c.is_alphanumeric() || "_[].->*".contains(c))
}

/// An integer constant of C.
fn number(text: &str) -> Option<i128> {
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, bare(rest)),
        None => (1, text),
    };
    let digits = text.trim_end_matches(['u', 'U', 'l', 'L']);
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let value = match hexadecimal {
        Some(digits) => i128::from_str_radix(digits, 16).ok()?,
        None if digits.starts_with(|c: char| c.is_ascii_digit()) => digits.parse().ok()?,
        None => return None,
    };
    Some(sign * value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_assumptions() {
        assert_eq!(equalities("x == 5;"), [("x", 5)]);
        assert_eq!(equalities("\\result == (-7);"), [("\\result", -7)]);
        assert_eq!(equalities("(0x10U) == y && z > 1; a[1] == 3ul"), [("y", 16), ("a[1]", 3)]);
        assert_eq!(equalities("x == y; 1 == 2; x != 3; == ; x == -"), []);
        assert_eq!(equalities("x == 99999999999999999999999999999999999999999"), []);
    }
}
