//! The points at which invariants hold, as people say them.

/// `withdraw():::EXIT` is the `end of withdraw`.
pub fn point(point: &str) -> String {
    let Some((place, moment)) = point.split_once(":::") else { return point.to_string() };
    let place = place.trim_end_matches("()");
    let place = lines(place).unwrap_or_else(|| place.to_string());
    match moment {
        "ENTER" => format!("beginning of {place}"),
        "LAST" => format!("last access of {place}"),
        moment if moment.starts_with("EXIT") => format!("end of {place}"),
        moment => format!("{place} {moment}"),
    }
}

/// A block is called by its lines: `bank.c_41_43`.
fn lines(block: &str) -> Option<String> {
    let (rest, to) = block.rsplit_once('_')?;
    let (file, from) = rest.rsplit_once('_')?;
    let (from, to): (u32, u32) = (from.parse().ok()?, to.parse().ok()?);
    Some(if from == to { format!("{file}:{from}") } else { format!("{file}:{from}–{to}") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_in_words() {
        assert_eq!(point("withdraw():::EXIT7"), "end of withdraw");
        assert_eq!(point("bank.c_41_41():::LAST"), "last access of bank.c:41");
        assert_eq!(point("a_b.c_4_12():::ENTER"), "beginning of a_b.c:4–12");
        assert_eq!(point("elsewhere"), "elsewhere");
    }
}
