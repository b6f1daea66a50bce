//! Who can be helped by whom.

/// Whether everybody gets a helper. A helper that is `single` helps one only.
pub fn all_are_helped(helpers: &[Vec<usize>], single: &[bool]) -> bool {
    let mut helped_by: Vec<Option<usize>> = vec![None; single.len()];
    (0..helpers.len()).all(|who| {
        helpers[who].iter().any(|&helper| !single[helper])
            || find(who, helpers, &mut vec![false; single.len()], &mut helped_by)
    })
}

/// A helper for `who`, if need be by giving others another one.
fn find(
    who: usize,
    helpers: &[Vec<usize>],
    tried: &mut [bool],
    helped_by: &mut [Option<usize>],
) -> bool {
    for &helper in &helpers[who] {
        if std::mem::replace(&mut tried[helper], true) {
            continue;
        }
        let free = match helped_by[helper] {
            None => true,
            Some(other) => find(other, helpers, tried, helped_by),
        };
        if free {
            helped_by[helper] = Some(who);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::all_are_helped;

    #[test]
    fn helpers_are_shared_out() {
        assert!(all_are_helped(&[vec![0, 1], vec![0]], &[true, true]));
        assert!(!all_are_helped(&[vec![0], vec![0]], &[true]));
        assert!(all_are_helped(&[vec![0], vec![0]], &[false]));
        assert!(!all_are_helped(&[vec![]], &[]));
    }
}
