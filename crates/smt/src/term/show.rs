//! Terms as text, for people. Only a few levels: terms share their parts, and written out they can be endless.

use super::pool::{Node, Term, Terms};

const LEVELS: u32 = 12;

impl Terms {
    pub fn show(&self, term: Term) -> String {
        let mut text = String::new();
        self.write(term, LEVELS, &mut text);
        text
    }

    fn write(&self, term: Term, levels: u32, text: &mut String) {
        match self.node(term) {
            Node::Truth(value) => text.push_str(if value { "true" } else { "false" }),
            Node::Bits(value) => text.push_str(&format!("{value}:{}", self.width(term))),
            Node::Unknown(name) => text.push_str(&format!("{name}#{}", term.number())),
            Node::Apply(..) if levels == 0 => text.push('…'),
            Node::Apply(op, operands) => {
                text.push_str(&format!("({op:?}"));
                for &operand in operands {
                    text.push(' ');
                    self.write(operand, levels - 1, text);
                }
                text.push(')');
            }
        }
    }
}
