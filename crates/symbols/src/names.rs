//! How functions are called: C++ names without parameters and return types.

use cpp_demangle::{DemangleOptions, Symbol};

/// Longer mangled names are not worth the demangler's time.
const MAX_MANGLED: usize = 16 << 10;

/// The name to show for a linker's name.
pub(crate) fn display(linkage: &str) -> String {
    demangle(linkage).unwrap_or_else(|| linkage.to_string())
}

/// The same for C++'s mangled names alone.
pub fn demangle(linkage: &str) -> Option<String> {
    if !linkage.starts_with("_Z") || linkage.len() > MAX_MANGLED {
        return None;
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let name = Symbol::new(linkage).ok()?.demangle_with_options(&options).ok()?;
    let name = name.replace("(anonymous namespace)::", "");
    Some(plain_lambdas(unqualified(&name)))
}

/// Without what may follow the parameters of a method.
fn unqualified(mut name: &str) -> &str {
    const QUALIFIERS: [&str; 4] = [" const", " volatile", " &&", " &"];
    while let Some(rest) = QUALIFIERS.iter().find_map(|word| name.strip_suffix(word)) {
        name = rest;
    }
    name
}

/// `main::$_0::operator()` (clang) and `main::{lambda()#1}::operator()` (gcc) become
/// `main::{lambda#1}`: the call operator is all there is to a lambda.
fn plain_lambdas(name: &str) -> String {
    let Some(closure) = name.strip_suffix("::operator()") else { return name.to_string() };
    if let Some((scope, number)) = closure.rsplit_once("::$_")
        && let Ok(number) = number.parse::<u32>()
    {
        return format!("{scope}::{{lambda#{}}}", number.saturating_add(1));
    }
    if closure.ends_with('}')
        && let Some((scope, rest)) = closure.rsplit_once("::{lambda")
        && let Some((_, number)) = rest.rsplit_once('#')
    {
        return format!("{scope}::{{lambda#{number}");
    }
    name.to_string()
}

#[cfg(test)]
mod tests {
    use super::display;

    #[test]
    fn names_lose_their_parameters() {
        assert_eq!(display("main"), "main");
        assert_eq!(display("_ZN7Account8withdrawEi"), "Account::withdraw");
        assert_eq!(display("_ZNK7Account5queryEv"), "Account::query");
        assert_eq!(display("_Z3addIiET_S0_S0_"), "add<int>");
        assert_eq!(display("_ZN2ns12_GLOBAL__N_14tickEv"), "ns::tick");
        assert_eq!(display("_ZZ4mainENK3$_0clEv"), "main::{lambda#1}");
        assert_eq!(display("_ZZ4mainENKUlvE_clEv"), "main::{lambda#1}");
        assert_eq!(display("_Znonsense"), "_Znonsense");
    }
}
