//! Calls of LLVM's own functions, and of those that stand for atomic operations.

use super::calls::Call;
use super::data::Result;
use super::thread::{Instance, Writer};
use super::types;
use unpick_ir::Type;

impl Writer<'_> {
    /// One of LLVM's own functions.
    pub(super) fn intrinsic(
        &mut self,
        instance: &mut Instance,
        call: &Call,
        name: &str,
    ) -> Result<()> {
        let wanted = self.wanted(instance, call)?;
        let arguments = self.arguments(instance, call)?;
        let argument = |at: usize| arguments.get(at).map_or("0".to_string(), |it| it.concat());
        let place = call.place;
        let is = |begin: &str| name == begin || name.starts_with(&format!("{begin}."));
        if is("memcpy") || is("memmove") {
            let (to, from, size) = (argument(0), argument(1), argument(2));
            self.text.code(place, format!("unpick_copy({to}, {from}, {size}, UNPICK_HERE);"));
            return Ok(());
        }
        if is("memset") {
            let (to, byte, size) = (argument(0), argument(1), argument(2));
            let fill = format!("unpick_fill({to}, (int){byte}, {size}, UNPICK_HERE);");
            self.text.code(place, fill);
            return Ok(());
        }
        if is("trap") || is("debugtrap") || is("ubsantrap") {
            let kind = if is("ubsantrap") { trapped(&argument(0)) } else { "abort" };
            let fail = format!("unpick_fail(UNPICK_HERE, \"{kind}\", \"a trap\");");
            self.text.code(place, fail);
            return Ok(());
        }
        if wanted.is_empty() {
            return Ok(());
        }
        if name.contains(".with.overflow.") {
            return self.with_overflow(instance, call, name, &arguments, &wanted);
        }
        let signed = match call.kind {
            Type::Bits(width) => types::signed(*width),
            _ => "long",
        };
        let (one, two) = (argument(0), argument(1));
        let value = if is("expect") || is("threadlocal.address") || is("annotation") {
            one
        } else if is("returnaddress") || is("frameaddress") || is("stacksave") {
            "(char *)0".into()
        } else if is("is.constant") {
            "0".into()
        } else if is("objectsize") {
            if two == "0U" { "-1".into() } else { "0".into() }
        } else if is("abs") {
            format!("({signed}){one} < 0 ? -{one} : {one}")
        } else if is("smin") {
            format!("({signed}){one} < ({signed}){two} ? {one} : {two}")
        } else if is("smax") {
            format!("({signed}){one} > ({signed}){two} ? {one} : {two}")
        } else if is("umin") {
            format!("{one} < {two} ? {one} : {two}")
        } else if is("umax") {
            format!("{one} > {two} ? {one} : {two}")
        } else if is("fmuladd") {
            format!("{one} * {two} + {}", argument(2))
        } else {
            for name in &wanted {
                self.text.code(place, format!("{name} = 0;"));
            }
            return self.beyond(instance, place, &format!("`llvm.{name}`"));
        };
        self.give(&wanted, &value, place);
        Ok(())
    }

    /// A sum, difference or product, and whether it fits.
    fn with_overflow(
        &mut self,
        instance: &mut Instance,
        call: &Call,
        name: &str,
        arguments: &[Vec<String>],
        wanted: &[String],
    ) -> Result<()> {
        let (Type::Bits(width @ (8 | 16 | 32 | 64)), [value, overflows]) = (&call.kinds[0], wanted)
        else {
            return self.beyond(instance, call.place, &format!("`llvm.{name}`"));
        };
        let kind = match name.starts_with('s') {
            true => types::signed(*width).to_string(),
            false => format!("unsigned {}", types::signed(*width).replace("signed ", "")),
        };
        let (one, two, what) = (arguments[0].concat(), arguments[1].concat(), &name[1..4]);
        self.text.code(
            call.place,
            format!(
                "{{ {kind} unpick_sum; {overflows} = __builtin_{what}_overflow(({kind}){one}, ({kind}){two}, &unpick_sum); {value} = unpick_sum; }}"
            ),
        );
        Ok(())
    }

    /// `__tsan_atomic32_fetch_add` and the like: nobody comes in between.
    pub(super) fn atomic(
        &mut self,
        instance: &mut Instance,
        call: &Call,
        name: &str,
    ) -> Result<()> {
        let place = call.place;
        let wanted = self.wanted(instance, call)?;
        let arguments = self.arguments(instance, call)?;
        let argument = |at: usize| arguments.get(at).map_or("0".to_string(), |it| it.concat());
        let Some((kind, operation)) = atomic_parts(name) else {
            return self.beyond(instance, place, &format!("`{name}`"));
        };
        let Some(access) = types::access(&kind) else {
            return self.beyond(instance, place, &format!("`{name}`"));
        };
        let at = format!("UNPICK_AT({access}, {})", argument(0));
        let value = argument(1);
        let old = match operation {
            "load" => {
                self.give(&wanted, &at, place);
                return Ok(());
            }
            "store" => {
                self.text.code(place, format!("{at} = {value};"));
                return Ok(());
            }
            "compare_exchange_strong" | "compare_exchange_weak" | "compare_exchange" => {
                let expected = format!("UNPICK_AT({access}, {value})");
                let same = self.register("unsigned char");
                let new = argument(2);
                self.text.code(
                    place,
                    format!(
                        "{same} = {at} == {expected}; if ({same}) {at} = {new}; else {expected} = {at};"
                    ),
                );
                if !wanted.is_empty() {
                    self.give(&wanted, &same, place);
                }
                return Ok(());
            }
            _ => match wanted.first() {
                Some(into) => into.clone(),
                None => self.temporary(&kind)?,
            },
        };
        let new = match operation {
            "exchange" => value,
            "fetch_add" => format!("{old} + {value}"),
            "fetch_sub" => format!("{old} - {value}"),
            "fetch_and" => format!("{old} & {value}"),
            "fetch_or" => format!("{old} | {value}"),
            "fetch_xor" => format!("{old} ^ {value}"),
            "fetch_nand" => format!("~({old} & {value})"),
            "compare_exchange_val" => format!("{old} == {value} ? {} : {old}", argument(2)),
            _ => return self.beyond(instance, place, &format!("`{name}`")),
        };
        self.text.code(place, format!("{old} = {at}; {at} = {new};"));
        Ok(())
    }
}

/// What the compiler's own checks trap for, by the number that clang gives them.
fn trapped(number: &str) -> &'static str {
    match number.trim_end_matches(['U', 'L']) {
        "0" | "12" | "13" | "21" => "overflow",
        "3" => "division-by-zero",
        "18" => "out-of-bounds",
        "20" => "shift",
        _ => "abort",
    }
}

/// What an atomic function works on, and what it does.
fn atomic_parts(name: &str) -> Option<(Type, &str)> {
    if let Some(rest) = name.strip_prefix("__tsan_atomic") {
        let (width, operation) = rest.split_once('_')?;
        return Some((Type::Bits(width.parse().ok()?), operation));
    }
    let (operation, size) = name.strip_prefix("__atomic_")?.rsplit_once('_')?;
    Some((Type::Bits(8 * size.parse::<u32>().ok()?), operation))
}
