//! The places to look at first, in the order in which a reader should: few, each line once.
//!
//! A change of synchronisation that was seen to help in every interleaving comes first; threads that merely wait for each
//! other help against nearly everything, so such a change comes second. Then the lines with values that help. The
//! assertion itself may be what is wrong; nobody but the reader knows, so its line is the third one at the latest.

use crate::diagnose::Suspect;
use crate::fixes::{Fix, FixKind};

/// What speaks for a line: a change, or a value, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Clue {
    Change(usize),
    Value(usize),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The file's name without folders.
    pub file: String,
    pub line: u32,
    pub clue: Clue,
}

/// The assertion's line has this rank at the worst.
const ASSERTION_BY: usize = 2;

/// `file_of`: the name of a suspect's file. Both lists have the best first.
pub fn sites(
    suspects: &[Suspect],
    fixes: &[(String, &Fix)],
    file_of: &dyn Fn(&Suspect) -> String,
) -> Vec<Site> {
    let mut values: Vec<(Site, bool)> = Vec::new();
    for (number, suspect) in suspects.iter().enumerate() {
        let (file, line) = (file_of(suspect), suspect.spot.place.line);
        if !values.iter().any(|(site, _)| (&site.file, site.line) == (&file, line)) {
            let site = Site { file, line, clue: Clue::Value(number) };
            values.push((site, suspect.in_assertion));
        }
    }
    if let Some((file, fix)) = fixes.first() {
        let rank = usize::from(fix.kind >= FixKind::JoinEarlier);
        for (number, line) in fix.places.iter().enumerate() {
            let site = Site { file: file.clone(), line: *line, clue: Clue::Change(0) };
            values.retain(|(other, _)| (&other.file, other.line) != (&site.file, site.line));
            values.insert((rank + number).min(values.len()), (site, false));
        }
    }
    if let Some(at) = values.iter().position(|(_, in_assertion)| *in_assertion)
        && at > ASSERTION_BY
    {
        let assertion = values.remove(at);
        values.insert(ASSERTION_BY, assertion);
    }
    values.into_iter().map(|(site, _)| site).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spots::{Part, Spot};
    use unpick_ir::{BlockId, FunctionId, Place};

    fn suspect(line: u32, in_assertion: bool) -> Suspect {
        let place = Place { line, ..Place::default() };
        let (function, block) = (FunctionId(0), BlockId(0));
        let spot = Spot { function, block, at: 0, part: Part::Assigned, width: 32, place };
        let (had, value, everywhere) = (None, 0, Some(true));
        Suspect { spot, had, value, everywhere, avoids_it: false, in_assertion, visits: Vec::new() }
    }

    fn lines(suspects: &[Suspect], kind: Option<FixKind>) -> Vec<u32> {
        let places = vec![7];
        let effect = crate::foresight::Effect::Unknown;
        let fix = kind.map(|kind| Fix { kind, text: String::new(), lines: 7..9, places, effect });
        let fixes: Vec<(String, &Fix)> = fix.iter().map(|fix| ("a.c".to_string(), fix)).collect();
        let sites = sites(suspects, &fixes, &|_| "a.c".into());
        sites.into_iter().map(|site| site.line).collect()
    }

    #[test]
    fn each_line_once_and_the_assertion_third() {
        let code = [1, 2, 2, 3, 4].map(|line| suspect(line, false));
        let all: Vec<Suspect> = code.into_iter().chain([suspect(5, true)]).collect();
        assert_eq!(lines(&all, None), [1, 2, 5, 3, 4]);
        assert_eq!(lines(&all, Some(FixKind::HoldLonger)), [7, 1, 5, 2, 3, 4]);
        for kind in [FixKind::JoinEarlier, FixKind::OneAfterAnother] {
            assert_eq!(lines(&all, Some(kind)), [1, 7, 5, 2, 3, 4]);
        }
    }

    #[test]
    fn a_change_alone() {
        assert_eq!(lines(&[], Some(FixKind::JoinEarlier)), [7]);
        assert_eq!(lines(&[suspect(7, true)], Some(FixKind::WaitAgain)), [7]);
        assert!(lines(&[], None).is_empty());
    }
}
