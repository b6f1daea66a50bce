//! What an instruction that calls nobody computes, as a statement of C.

use super::data::{Result, refused};
use super::thread::{Instance, Root, Writer};
use super::types;
use crate::spots::Part;
use unpick_ir::{
    Action, Binary, Compare, Convert, Float, FloatBinary, FloatCompare, Modify, Operand, Place,
    Register, Type,
};

impl Writer<'_> {
    pub fn action(
        &mut self,
        instance: &mut Instance,
        action: &Action,
        result: Option<Register>,
        place: Place,
    ) -> Result<()> {
        let used = result.filter(|result| self.is_used(instance, *result));
        match action {
            Action::Store { address, value, kind, .. } => {
                self.store(instance, address, value, kind, place)
            }
            Action::Load { address, kind, .. } => {
                let Some(into) = used else { return Ok(()) };
                self.load(instance, address, kind, into, place)
            }
            Action::Modify { operator, address, value, kind, .. } => {
                self.modify(instance, (*operator, address, value), kind, used, place)
            }
            Action::CompareExchange { address, expected, new, kind, .. } => {
                let expected = self.operand(instance, expected, kind)?;
                let new = self.operand(instance, new, kind)?;
                let at = self.at(instance, address, kind, 0)?;
                let (old, same) = match used {
                    Some(into) => {
                        let names = self.result(instance, into)?;
                        (names[0].clone(), names[1].clone())
                    }
                    None => (self.temporary(kind)?, self.register("unsigned char")),
                };
                self.text.code(
                    place,
                    format!(
                        "{old} = {at}; {same} = {old} == {expected}; if ({same}) {at} = {new};"
                    ),
                );
                Ok(())
            }
            Action::Fence(_) => Ok(()),
            _ => {
                let Some(into) = used else { return self.check_only(instance, action, place) };
                self.compute(instance, action, into, place)
            }
        }
    }

    pub fn temporary(&mut self, kind: &Type) -> Result<String> {
        match types::register(kind) {
            Some(kind) => Ok(self.register(kind)),
            None => refused("a value of such a type"),
        }
    }

    /// Nobody uses the result, but computing it may fail.
    fn check_only(&mut self, instance: &mut Instance, action: &Action, place: Place) -> Result<()> {
        if let Action::Binary { operator, left, right, .. } = action {
            let kind = self.type_of(instance, left);
            let right = self.operand(instance, right, &kind)?;
            self.check_binary(*operator, &right, &kind, place);
        }
        Ok(())
    }

    /// Something in memory.
    pub fn at(
        &mut self,
        instance: &Instance,
        address: &Operand,
        kind: &Type,
        offset: u64,
    ) -> Result<String> {
        if offset == 0
            && let Some(name) = self.variable(instance, address, kind)
        {
            return Ok(name);
        }
        let Some(access) = types::access(kind) else {
            return refused(format!("an access of {kind:?}"));
        };
        let mut pointer = self.operand(instance, address, &Type::Pointer)?;
        if offset > 0 {
            pointer = format!("{pointer} + {offset}");
        }
        Ok(match self.root(instance, address) {
            Some(root) => {
                let Root { name, size } = root;
                format!("UNPICK_IN({access}, {pointer}, {name}, {size})")
            }
            None => format!("UNPICK_AT({access}, {pointer})"),
        })
    }

    fn load(
        &mut self,
        instance: &mut Instance,
        address: &Operand,
        kind: &Type,
        into: Register,
        place: Place,
    ) -> Result<()> {
        let names = self.result(instance, into)?;
        for (name, (offset, leaf)) in names.iter().zip(types::leaves(kind)) {
            let mut value = self.at(instance, address, &leaf, offset)?;
            if let Type::Bits(width) = leaf {
                // A variable has a sign.
                if width < 64 && types::access(&leaf).is_some() {
                    let unsigned = types::register(&leaf).unwrap_or("unsigned int");
                    value = format!("({unsigned}){value}");
                }
                value = self.asked(instance, Part::Read, value, width);
            }
            self.text.code(place, format!("{name} = {value};"));
        }
        Ok(())
    }

    fn store(
        &mut self,
        instance: &mut Instance,
        address: &Operand,
        value: &Operand,
        kind: &Type,
        place: Place,
    ) -> Result<()> {
        let values = self.leaves(instance, value, kind)?;
        for (value, (offset, leaf)) in values.into_iter().zip(types::leaves(kind)) {
            let at = self.at(instance, address, &leaf, offset)?;
            let value = match leaf {
                Type::Bits(width) => self.asked(instance, Part::Assigned, value, width),
                _ => value,
            };
            self.text.code(place, format!("{at} = {value};"));
        }
        Ok(())
    }

    fn modify(
        &mut self,
        instance: &mut Instance,
        (operator, address, value): (Modify, &Operand, &Operand),
        kind: &Type,
        used: Option<Register>,
        place: Place,
    ) -> Result<()> {
        let mut value = self.operand(instance, value, kind)?;
        if let Type::Bits(width) = kind {
            value = self.asked(instance, Part::Constant(0), value, *width);
        }
        let at = self.at(instance, address, kind, 0)?;
        let old = match used {
            Some(into) => self.result(instance, into)?.concat(),
            None => self.temporary(kind)?,
        };
        let signed = match kind {
            Type::Bits(width) => types::signed(*width),
            _ => "long",
        };
        let new = match operator {
            Modify::Exchange => value,
            Modify::Add | Modify::FloatAdd => format!("{old} + {value}"),
            Modify::Sub | Modify::FloatSub => format!("{old} - {value}"),
            Modify::And => format!("{old} & {value}"),
            Modify::NotAnd => format!("~({old} & {value})"),
            Modify::Or => format!("{old} | {value}"),
            Modify::Xor => format!("{old} ^ {value}"),
            Modify::SignedMax => {
                format!("({signed}){old} > ({signed}){value} ? {old} : {value}")
            }
            Modify::SignedMin => {
                format!("({signed}){old} < ({signed}){value} ? {old} : {value}")
            }
            Modify::UnsignedMax => format!("{old} > {value} ? {old} : {value}"),
            Modify::UnsignedMin => format!("{old} < {value} ? {old} : {value}"),
        };
        self.text.code(place, format!("{old} = {at}; {at} = {new};"));
        Ok(())
    }

    fn compute(
        &mut self,
        instance: &mut Instance,
        action: &Action,
        into: Register,
        place: Place,
    ) -> Result<()> {
        let kind = self.type_of(instance, &Operand::Register(into));
        let names = self.result(instance, into)?;
        let values = match action {
            Action::Extract { aggregate, path } => {
                let whole = self.type_of(instance, aggregate);
                let leaves = self.leaves(instance, aggregate, &whole)?;
                let Some((first, count)) = types::part(&whole, path) else {
                    return refused("a member of such a structure");
                };
                leaves[first..first + count].to_vec()
            }
            Action::Insert { aggregate, value, path } => {
                let mut leaves = self.leaves(instance, aggregate, &kind)?;
                let part = self.type_of(instance, value);
                let values = self.leaves(instance, value, &part)?;
                let Some((first, count)) = types::part(&kind, path) else {
                    return refused("a member of such a structure");
                };
                leaves.splice(first..first + count, values);
                leaves
            }
            Action::Select { condition, then, otherwise } => {
                let condition = self.operand(instance, condition, &Type::Bits(1))?;
                let then = self.leaves(instance, then, &kind)?;
                let otherwise = self.leaves(instance, otherwise, &kind)?;
                let pairs = then.into_iter().zip(otherwise);
                pairs.map(|(one, two)| format!("{condition} ? {one} : {two}")).collect()
            }
            Action::Freeze(value) => self.leaves(instance, value, &kind)?,
            _ if matches!(kind, Type::Aggregate(_)) => {
                return self.beyond(instance, place, "an operation on vectors");
            }
            _ => vec![self.scalar(instance, action, &kind, into, place)?],
        };
        for (name, value) in names.iter().zip(values) {
            self.text.code(place, format!("{name} = {value};"));
        }
        Ok(())
    }

    fn scalar(
        &mut self,
        instance: &mut Instance,
        action: &Action,
        kind: &Type,
        into: Register,
        place: Place,
    ) -> Result<String> {
        Ok(match action {
            Action::Binary { operator, left, right, no_signed_wrap, .. } => {
                let left = self.constant_asked(instance, left, kind, 0)?;
                let right = self.constant_asked(instance, right, kind, 1)?;
                self.check_binary(*operator, &right, kind, place);
                if *no_signed_wrap && self.run.overflow {
                    self.check_overflow(*operator, (&left, &right), kind, place);
                }
                binary(*operator, &left, &right, kind)
            }
            Action::Compare { operator, left, right } => {
                let kind = match left {
                    Operand::Constant(_) => self.type_of(instance, right),
                    _ => self.type_of(instance, left),
                };
                let left = self.constant_asked(instance, left, &kind, 0)?;
                let right = self.constant_asked(instance, right, &kind, 1)?;
                compare(*operator, &left, &right, &kind)
            }
            Action::FloatBinary { operator, float, left, right } => {
                let kind = Type::Float(*float);
                let left = self.operand(instance, left, &kind)?;
                let right = self.operand(instance, right, &kind)?;
                let sign = match operator {
                    FloatBinary::Add => "+",
                    FloatBinary::Sub => "-",
                    FloatBinary::Mul => "*",
                    FloatBinary::Div => "/",
                    FloatBinary::Rem => return Ok(format!("__builtin_fmod({left}, {right})")),
                };
                format!("{left} {sign} {right}")
            }
            Action::FloatNegate { float, value } => {
                format!("-{}", self.operand(instance, value, &Type::Float(*float))?)
            }
            Action::FloatCompare { operator, float, left, right } => {
                let kind = Type::Float(*float);
                let left = self.operand(instance, left, &kind)?;
                let right = self.operand(instance, right, &kind)?;
                float_compare(operator, &left, &right)
            }
            Action::Convert { operator, value, from, to } => {
                let value = self.operand(instance, value, from)?;
                convert(*operator, &value, from, to)?
            }
            Action::Offset { base, constant, scaled, .. } => {
                if let Some(root) = self.root(instance, base) {
                    self.has_root(instance, into, root);
                }
                let mut sum = self.operand(instance, base, &Type::Pointer)?;
                if *constant != 0 {
                    sum.push_str(&format!(" + {constant}"));
                }
                for (index, stride) in scaled {
                    let kind = self.type_of(instance, index);
                    let index = self.operand(instance, index, &kind)?;
                    let index = sign_extended(&index, &kind);
                    sum.push_str(&format!(" + {index} * {stride}"));
                }
                sum
            }
            _ => return refused("an operation on vectors"),
        })
    }

    /// An operand that may be asked about where it is a constant.
    fn constant_asked(
        &mut self,
        instance: &Instance,
        operand: &Operand,
        kind: &Type,
        number: usize,
    ) -> Result<String> {
        let value = self.operand(instance, operand, kind)?;
        Ok(match (operand, kind) {
            (Operand::Constant(_), Type::Bits(width)) => {
                let asked = self.asked(instance, Part::Constant(number), value.clone(), *width);
                match types::register(kind) {
                    Some(kind) if asked != value => format!("({kind}){asked}"),
                    _ => value,
                }
            }
            _ => value,
        })
    }

    fn check_binary(&mut self, operator: Binary, right: &str, kind: &Type, place: Place) {
        let Type::Bits(width) = kind else { return };
        let (bad, what, words) = match operator {
            Binary::UnsignedDiv | Binary::SignedDiv | Binary::UnsignedRem | Binary::SignedRem => {
                (format!("{right} == 0"), "division-by-zero", "division by zero")
            }
            Binary::ShiftLeft | Binary::ShiftRight | Binary::SignedShiftRight => {
                (format!("{right} >= {width}"), "shift", "a shift by more than the number has bits")
            }
            _ => return,
        };
        // A constant that is fine needs no look.
        let number: Option<u128> = right.trim_end_matches(['U', 'L']).parse().ok();
        let fine = match (number, what) {
            (Some(number), "shift") => number < u128::from(*width),
            (Some(number), _) => number != 0,
            (None, _) => false,
        };
        if !fine {
            let fail = format!("if ({bad}) unpick_fail(UNPICK_HERE, \"{what}\", \"{words}\");");
            self.text.code(place, fail);
        }
    }

    fn check_overflow(
        &mut self,
        operator: Binary,
        (left, right): (&str, &str),
        kind: &Type,
        place: Place,
    ) {
        let (Type::Bits(width @ (8 | 16 | 32 | 64)), name) = (
            kind,
            match operator {
                Binary::Add => "add",
                Binary::Sub => "sub",
                Binary::Mul => "mul",
                _ => return,
            },
        ) else {
            return;
        };
        let signed = types::signed(*width);
        self.text.code(
            place,
            format!(
                "{{ {signed} unpick_sum; if (__builtin_{name}_overflow(({signed}){left}, ({signed}){right}, &unpick_sum)) unpick_fail(UNPICK_HERE, \"overflow\", \"signed overflow\"); }}"
            ),
        );
    }
}

fn is_whole(width: u32) -> bool {
    matches!(width, 8 | 16 | 32 | 64 | 128)
}

/// So many low bits, where the type of C has more.
fn masked(value: String, width: u32) -> String {
    match width {
        _ if is_whole(width) => value,
        0..=63 => format!("({value}) & {}UL", (1u64 << width) - 1),
        _ => format!("({value}) & (((unsigned __int128)1 << {width}) - 1)"),
    }
}

/// The number with its sign, as wide as C has it.
fn signed_value(value: &str, width: u32) -> String {
    if is_whole(width) {
        return format!("({}){value}", types::signed(width));
    }
    let (whole, bits) = if width < 64 { ("long", 64) } else { ("__int128", 128) };
    format!("(({whole})((unsigned {whole}){value} << {0}) >> {0})", bits - width)
}

fn sign_extended(value: &str, kind: &Type) -> String {
    match kind {
        Type::Bits(width) => format!("(long){}", signed_value(value, *width)),
        _ => value.into(),
    }
}

fn binary(operator: Binary, left: &str, right: &str, kind: &Type) -> String {
    let width = match kind {
        Type::Bits(width) => *width,
        _ => 64,
    };
    let wide = if width <= 32 { "(unsigned int)" } else { "" };
    let (one, two) = (signed_value(left, width), signed_value(right, width));
    let value = match operator {
        Binary::Add => format!("{left} + {right}"),
        Binary::Sub => format!("{left} - {right}"),
        Binary::Mul => format!("{wide}{left} * {right}"),
        Binary::UnsignedDiv => format!("{left} / {right}"),
        Binary::UnsignedRem => format!("{left} % {right}"),
        Binary::SignedDiv => format!("{one} / {two}"),
        Binary::SignedRem => format!("{one} % {two}"),
        Binary::ShiftLeft => format!("{wide}{left} << {right}"),
        Binary::ShiftRight => format!("{left} >> {right}"),
        Binary::SignedShiftRight => format!("{one} >> {right}"),
        Binary::And => format!("{left} & {right}"),
        Binary::Or => format!("{left} | {right}"),
        Binary::Xor => format!("{left} ^ {right}"),
    };
    masked(value, width)
}

fn compare(operator: Compare, left: &str, right: &str, kind: &Type) -> String {
    let sign = match operator {
        Compare::Equal => "==",
        Compare::Unequal => "!=",
        Compare::UnsignedLess | Compare::SignedLess => "<",
        Compare::UnsignedLessEqual | Compare::SignedLessEqual => "<=",
        Compare::UnsignedGreater | Compare::SignedGreater => ">",
        Compare::UnsignedGreaterEqual | Compare::SignedGreaterEqual => ">=",
    };
    let signed = matches!(
        operator,
        Compare::SignedLess
            | Compare::SignedLessEqual
            | Compare::SignedGreater
            | Compare::SignedGreaterEqual
    );
    match kind {
        Type::Pointer if matches!(operator, Compare::Equal | Compare::Unequal) => {
            format!("{left} {sign} {right}")
        }
        Type::Pointer => format!("(unsigned long){left} {sign} (unsigned long){right}"),
        Type::Bits(width) if signed => {
            format!("{} {sign} {}", signed_value(left, *width), signed_value(right, *width))
        }
        _ => format!("{left} {sign} {right}"),
    }
}

fn float_compare(operator: &FloatCompare, left: &str, right: &str) -> String {
    let mut ways = Vec::new();
    for (holds, sign) in [(operator.less, "<"), (operator.equal, "=="), (operator.greater, ">")] {
        if holds {
            ways.push(format!("{left} {sign} {right}"));
        }
    }
    if operator.unordered {
        ways.push(format!("__builtin_isunordered({left}, {right})"));
    }
    if ways.is_empty() { "0".into() } else { ways.join(" || ") }
}

fn convert(operator: Convert, value: &str, from: &Type, to: &Type) -> Result<String> {
    let Some(c_type) = types::register(to) else { return refused("such a conversion") };
    let width = |kind: &Type| match kind {
        Type::Bits(width) => *width,
        _ => 64,
    };
    Ok(match operator {
        Convert::Truncate => masked(format!("({c_type}){value}"), width(to)),
        Convert::ZeroExtend => format!("({c_type}){value}"),
        Convert::SignExtend => {
            masked(format!("({c_type}){}", signed_value(value, width(from))), width(to))
        }
        Convert::FloatTruncate | Convert::FloatExtend | Convert::UnsignedToFloat => {
            format!("({c_type}){value}")
        }
        Convert::FloatToUnsigned => masked(format!("({c_type}){value}"), width(to)),
        Convert::FloatToSigned => {
            masked(format!("({c_type})({}){value}", types::signed(width(to))), width(to))
        }
        Convert::SignedToFloat => format!("({c_type}){}", signed_value(value, width(from))),
        Convert::PointerToInteger => masked(format!("(unsigned long)({value})"), width(to)),
        Convert::IntegerToPointer => format!("(char *)(unsigned long){value}"),
        Convert::Reinterpret => match (from, to) {
            (Type::Float(Float::Single), Type::Bits(32)) => format!("unpick_of_f32({value})"),
            (Type::Float(Float::Double), Type::Bits(64)) => format!("unpick_of_f64({value})"),
            (Type::Bits(32), Type::Float(Float::Single)) => format!("unpick_to_f32({value})"),
            (Type::Bits(64), Type::Float(Float::Double)) => format!("unpick_to_f64({value})"),
            (from, to) if from == to => value.into(),
            _ => return refused("such a conversion"),
        },
    })
}
