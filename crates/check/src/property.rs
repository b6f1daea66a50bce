//! What must not happen: properties by name, and SV-COMP's property files.

use std::collections::BTreeSet;
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// `assert`, `reach_error`, `__VERIFIER_error`.
    Assert,
    /// Calls of `reach_error` alone: an assertion elsewhere only ends the run.
    ReachError,
    Deadlock,
    Misuse,
    /// Null, wild, freed and out-of-bounds accesses, wrong frees.
    Memory,
    /// Division by zero, shifts by too much.
    Arithmetic,
    /// Of signed integers.
    Overflow,
    Race,
    /// Memory that nobody can free any more at the end.
    Leak,
    /// Memory that was not freed at the end, whether anybody could or not.
    Cleanup,
    /// A decision that depends on what was never written.
    Uninitialised,
    /// `abort`: where a file says what must not happen, only the end of a run.
    Abort,
}

use Property::*;

/// Everything that has a name of its own on the command line.
const NAMES: &[(&str, &[Property])] = &[
    ("assert", &[Assert]),
    ("unreach-call", &[ReachError]),
    ("deadlock", &[Deadlock]),
    ("lock-misuse", &[Misuse]),
    ("memory", &[Memory]),
    ("valid-memsafety", &[Memory, Leak]),
    ("arithmetic", &[Arithmetic]),
    ("overflow", &[Overflow]),
    ("no-overflow", &[Overflow]),
    ("race", &[Race]),
    ("no-data-race", &[Race]),
    ("leak", &[Leak]),
    ("cleanup", &[Cleanup]),
    ("valid-memcleanup", &[Cleanup]),
    ("uninitialised", &[Uninitialised]),
    ("abort", &[Abort]),
];

/// A set of properties, and how it was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Properties {
    set: BTreeSet<Property>,
    /// As it is printed: names, or what the file says.
    pub text: String,
    /// Asked for, but not among what can be checked.
    pub beyond: Option<String>,
}

impl Default for Properties {
    fn default() -> Properties {
        let set = BTreeSet::from([Assert, Abort, Deadlock, Misuse, Memory, Arithmetic]);
        let text = "assert,abort,deadlock,lock-misuse,memory,arithmetic".into();
        Properties { set, text, beyond: None }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PropertyError(String);

impl fmt::Display for PropertyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PropertyError {}

impl Properties {
    pub fn has(&self, property: Property) -> bool {
        self.set.contains(&property)
    }

    pub fn iter(&self) -> impl Iterator<Item = Property> + '_ {
        self.set.iter().copied()
    }

    /// As a property file says it, and for what it has no words, as the command line does.
    pub fn specification(&self) -> String {
        if self.text.contains("CHECK(") {
            return self.text.clone();
        }
        let formulas = self.set.iter().flat_map(|property| match property {
            Memory => &["G valid-free", "G valid-deref"][..],
            Leak => &["G valid-memtrack"],
            Cleanup => &["G valid-memcleanup"],
            Overflow => &["G ! overflow"],
            Race => &["G ! data-race"],
            Deadlock => &["G ! deadlock"],
            Assert | ReachError => &["G ! call(reach_error())"],
            Abort | Misuse | Arithmetic | Uninitialised => &[],
        });
        let lines: Vec<String> =
            formulas.map(|formula| format!("CHECK( init(main()), LTL({formula}) )")).collect();
        lines.join("\n")
    }

    /// `assert,race`.
    pub fn of_names(text: &str) -> Result<Properties, PropertyError> {
        let mut set = BTreeSet::new();
        for name in text.split(',').map(str::trim) {
            let known = NAMES.iter().find(|(known, _)| *known == name);
            let Some((_, properties)) = known else {
                let all: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
                return Err(PropertyError(format!(
                    "no property is called `{name}`; there are {}, or a file NAME.prp",
                    all.join(", ")
                )));
            };
            set.extend(properties.iter().copied());
        }
        Ok(Properties { set, text: text.to_string(), beyond: None })
    }

    /// The text of a property file: `CHECK( init(main()), LTL(G ! call(reach_error())) )`, one a line.
    pub fn of_file(text: &str) -> Result<Properties, PropertyError> {
        let mut properties =
            Properties { set: BTreeSet::new(), text: text.trim().to_string(), beyond: None };
        let lines = text.lines().map(str::trim);
        for line in lines.filter(|line| !line.is_empty() && !line.starts_with("//")) {
            let formula = formula(line).ok_or_else(|| {
                PropertyError(format!("`{line}` is not a property: CHECK( init(main()), LTL(…) )"))
            })?;
            let compact: String = formula.split_whitespace().collect();
            match compact.as_str() {
                "G!call(reach_error())" | "G!call(__VERIFIER_error())" => {
                    properties.set.insert(ReachError);
                }
                "Gvalid-free" | "Gvalid-deref" => {
                    properties.set.insert(Memory);
                }
                "Gvalid-memtrack" => {
                    properties.set.insert(Leak);
                }
                "Gvalid-memcleanup" => {
                    properties.set.insert(Cleanup);
                }
                "G!overflow" => {
                    properties.set.insert(Overflow);
                }
                "G!data-race" => {
                    properties.set.insert(Race);
                }
                "G!deadlock" => {
                    properties.set.insert(Deadlock);
                }
                "Gdef-behavior" => {
                    properties.set.extend([Memory, Arithmetic, Overflow, Race, Uninitialised]);
                }
                "Fend" => properties.beyond = Some("termination is not checked".into()),
                _ => return Err(PropertyError(format!("the property `{formula}` is not known"))),
            }
        }
        if properties.set.is_empty() && properties.beyond.is_none() {
            return Err(PropertyError("the file has no property".into()));
        }
        Ok(properties)
    }
}

/// What stands within `LTL(…)`.
fn formula(line: &str) -> Option<&str> {
    let inner = line.strip_prefix("CHECK")?.trim_start().strip_prefix('(')?;
    let inner = inner.trim_end().strip_suffix(')')?;
    let (init, rest) = inner.split_once(',')?;
    if !init.trim().starts_with("init") {
        return None;
    }
    let rest = rest.trim().strip_prefix("LTL")?.trim_start().strip_prefix('(')?;
    Some(rest.trim_end().strip_suffix(')')?.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(properties: &Properties) -> Vec<Property> {
        properties.iter().collect()
    }

    #[test]
    fn files_of_the_competition() {
        let of = |text| Properties::of_file(text).unwrap();
        let reach = of("CHECK( init(main()), LTL(G ! call(reach_error())) )\n");
        assert_eq!(set(&reach), [ReachError]);
        let memory = of(
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
             CHECK( init(main()), LTL(G valid-memtrack) )\n\n",
        );
        assert_eq!(set(&memory), [Memory, Leak]);
        assert_eq!(set(&of("CHECK( init(main()), LTL(G ! data-race) )")), [Race]);
        assert_eq!(set(&of("CHECK( init(main()), LTL(G ! overflow) )")), [Overflow]);
        assert_eq!(set(&of("CHECK( init(main()), LTL(G valid-memcleanup) )")), [Cleanup]);
        let end = of("CHECK( init(main()), LTL(F end) )");
        assert_eq!((set(&end), end.beyond.is_some()), (vec![], true));
    }

    #[test]
    fn what_is_no_property_is_refused() {
        let strange = "CHECK( init(main()), LTL(G something) )";
        for text in
            ["", strange, "CHECK", "CHECK(init(main()))", "LTL(G ! overflow)", "// nothing\n"]
        {
            assert!(Properties::of_file(text).is_err(), "{text}");
        }
        assert!(Properties::of_names("asert").unwrap_err().to_string().contains("assert"));
        assert!(Properties::of_names("").is_err());
        assert_eq!(set(&Properties::of_names("race, assert").unwrap()), [Assert, Race]);
    }
}
