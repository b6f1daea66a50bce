//! Reading models.

use super::Result;
use super::language::*;
use super::state::{Object, Robust};
use std::collections::{BTreeMap, HashMap};

struct Reader {
    threads: HashMap<String, usize>,
    names: HashMap<String, usize>,
    objects: Vec<Object>,
    spurious: i64,
}

impl Reader {
    fn object(&mut self, name: &str, fresh: Object) -> Result<usize> {
        if let Some(&index) = self.names.get(name) {
            if std::mem::discriminant(&self.objects[index]) != std::mem::discriminant(&fresh) {
                return Err(format!(
                    "`{name}` is used as {fresh:?} and as {:?}",
                    self.objects[index]
                ));
            }
            return Ok(index);
        }
        if !name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return Err(format!("`{name}` is no name"));
        }
        self.objects.push(fresh);
        self.names.insert(name.to_string(), self.objects.len() - 1);
        Ok(self.objects.len() - 1)
    }
    fn variable(&mut self, name: &str) -> Result<usize> {
        self.object(name, Object::Variable(0))
    }
    fn mutex(&mut self, name: &str) -> Result<usize> {
        self.object(
            name,
            Object::Mutex { recursive: false, owner: 0, depth: 0, robust: Robust::No },
        )
    }
    fn condition(&mut self, name: &str) -> Result<usize> {
        self.object(name, Object::Condition)
    }
    fn rw(&mut self, name: &str) -> Result<usize> {
        self.object(name, Object::Rw { writer: 0, readers: 0 })
    }
    /// Barriers and semaphores have a number, so they must be declared.
    fn declared(&self, name: &str) -> Result<usize> {
        self.names.get(name).copied().ok_or(format!("`{name}` is not among `objects`"))
    }

    fn declare(&mut self, text: &str) -> Result<()> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let number = |i: usize| -> Result<i64> {
            words[i].parse().map_err(|_| format!("`{}` is no number", words[i]))
        };
        match words.as_slice() {
            ["var", name, _] => self.object(name, Object::Variable(number(2)?)),
            ["recursive", name] => self.object(
                name,
                Object::Mutex { recursive: true, owner: 0, depth: 0, robust: Robust::No },
            ),
            ["robust", name] => self.object(
                name,
                Object::Mutex { recursive: false, owner: 0, depth: 0, robust: Robust::Sound },
            ),
            ["spurious", _] => {
                self.spurious = number(1)?;
                return Ok(());
            }
            ["barrier", name, _] => {
                self.object(name, Object::Barrier { size: number(2)? as u32, arrived: 0 })
            }
            ["sem", name, _] => self.object(name, Object::Semaphore(number(2)?)),
            _ => return Err(format!("not a declaration: `{text}`")),
        }
        .map(|_| ())
    }
}

fn register(names: &mut Vec<String>, name: &str) -> Result<usize> {
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Err(format!("`{name}` is no register"));
    }
    if let Some(index) = names.iter().position(|n| n == name) {
        return Ok(index);
    }
    names.push(name.to_string());
    Ok(names.len() - 1)
}

fn term(names: &mut Vec<String>, word: &str) -> Result<Term> {
    match word.parse() {
        Ok(number) => Ok(Term::Number(number)),
        Err(_) => Ok(Term::Register(register(names, word)?)),
    }
}

fn expression(names: &mut Vec<String>, words: &[&str]) -> Result<Expr> {
    match words {
        [a] => Ok(Expr { left: term(names, a)?, right: None }),
        [a, op @ ("+" | "-" | "*" | "==" | "!=" | "<" | ">" | "<=" | ">="), b] => {
            Ok(Expr { left: term(names, a)?, right: Some((op.to_string(), term(names, b)?)) })
        }
        _ => Err(format!("not an expression: `{}`", words.join(" "))),
    }
}

impl Model {
    /// `main` is the first thread; `objects` holds declarations; every other key is a thread.
    pub fn read(text: &BTreeMap<String, Vec<String>>) -> Result<Model> {
        let mut order = vec!["main".to_string()];
        order.extend(text.keys().filter(|k| *k != "main" && *k != "objects").cloned());
        let mut reader = Reader {
            threads: order.iter().cloned().enumerate().map(|(i, name)| (name, i)).collect(),
            names: HashMap::new(),
            objects: Vec::new(),
            spurious: 0,
        };
        for declaration in text.get("objects").into_iter().flatten() {
            reader.declare(declaration)?;
        }
        let mut programs = Vec::new();
        for name in &order {
            let lines = text.get(name).ok_or("a model needs `main`")?;
            let program = Self::program(&mut reader, name, lines)
                .map_err(|e| format!("thread `{name}`: {e}"))?;
            programs.push(program);
        }
        for (index, name) in order.iter().enumerate().skip(1) {
            let creates = programs
                .iter()
                .flat_map(|p| &p.code)
                .any(|i| matches!(i, Instr::Create(t) if *t == index));
            if !creates {
                return Err(format!("nobody creates thread `{name}`"));
            }
        }
        Ok(Model { programs, objects: reader.objects, spurious: reader.spurious })
    }

    fn program(reader: &mut Reader, name: &str, lines: &[String]) -> Result<Program> {
        let mut labels: HashMap<&str, usize> = HashMap::new();
        let mut steps: Vec<&str> = Vec::new();
        for line in lines {
            match line.strip_suffix(':') {
                Some(label) => {
                    labels.insert(label, steps.len());
                }
                None => steps.push(line),
            }
        }
        let mut registers = Vec::new();
        let mut code = Vec::new();
        for (at, line) in steps.iter().enumerate() {
            let instr = Self::instr(reader, &labels, &mut registers, &steps, at)
                .map_err(|e| format!("`{line}`: {e}"))?;
            code.push(instr);
        }
        Ok(Program { name: name.to_string(), code, registers: registers.len() })
    }

    fn instr(
        reader: &mut Reader,
        labels: &HashMap<&str, usize>,
        registers: &mut Vec<String>,
        steps: &[&str],
        at: usize,
    ) -> Result<Instr> {
        let mut words: Vec<&str> = steps[at].split_whitespace().collect();
        let mut into: Register = None;
        if let Some(arrow) = words.iter().position(|w| *w == "->") {
            if arrow + 2 != words.len() {
                return Err("`->` wants one register behind it, at the end".into());
            }
            into = Some(register(registers, words[arrow + 1])?);
            words.truncate(arrow);
        }
        let gives = matches!(
            words[0],
            "r" | "rmw"
                | "cas"
                | "trylock"
                | "tryrdlock"
                | "trywrlock"
                | "semtrywait"
                | "timedwait"
                | "tryjoin"
                | "lock"
                | "barrier"
                | "semvalue"
        );
        if into.is_some() && !gives {
            return Err("this gives no value".into());
        }
        let thread = |name: &str| -> Result<usize> {
            reader.threads.get(name).copied().ok_or(format!("no thread `{name}`"))
        };
        let label = |name: &str| labels.get(name).copied().ok_or(format!("no label `{name}`"));
        let number = |word: &str| word.parse::<i64>().map_err(|_| format!("`{word}` is no number"));
        Ok(match words.as_slice() {
            ["create", t] => Instr::Create(thread(t)?),
            ["join", t] => Instr::Join(thread(t)?),
            ["tryjoin", t] => Instr::TryJoin(thread(t)?, into),
            ["cancel", t] => Instr::Cancel(thread(t)?),
            ["testcancel"] => Instr::TestCancel,
            ["oncancel", l] => Instr::OnCancel(label(l)?),
            ["cancelable"] => Instr::Cancelable(true),
            ["uncancelable"] => Instr::Cancelable(false),
            ["consistent", m] => Instr::Consistent(reader.mutex(m)?),
            ["detach", t] => {
                thread(t)?;
                Instr::Goto(at + 1) // no step
            }
            ["yield"] | ["fence"] => Instr::Nop,
            ["sleep"] => Instr::Sleep,
            ["exit"] => Instr::Exit,
            ["end"] => Instr::End,
            ["r", x] => Instr::Read(reader.variable(x)?, into),
            ["w", x] => Instr::Write(reader.variable(x)?, expression(registers, &["0"])?),
            ["w", x, "<-", e @ ..] => Instr::Write(reader.variable(x)?, expression(registers, e)?),
            ["rmw", x] => Instr::Rmw {
                var: reader.variable(x)?,
                add: true,
                value: expression(registers, &["1"])?,
                old: into,
            },
            ["rmw", x, how @ ("+=" | "<-"), e @ ..] => Instr::Rmw {
                var: reader.variable(x)?,
                add: *how == "+=",
                value: expression(registers, e)?,
                old: into,
            },
            ["cas", x, expected, new] => Instr::Cas {
                var: reader.variable(x)?,
                expected: expression(registers, &[expected])?,
                new: expression(registers, &[new])?,
                ok: into,
            },
            ["lock", m] => Instr::Lock(reader.mutex(m)?, into),
            ["trylock", m] => Instr::TryLock(reader.mutex(m)?, into),
            ["unlock", m] => Instr::Unlock(reader.mutex(m)?),
            ["wait", c, m] => {
                Instr::Wait { cond: reader.condition(c)?, mutex: reader.mutex(m)?, timed: None }
            }
            ["timedwait", c, m] => Instr::Wait {
                cond: reader.condition(c)?,
                mutex: reader.mutex(m)?,
                timed: Some(into),
            },
            ["signal", c] => Instr::Signal(reader.condition(c)?),
            ["broadcast", c] => Instr::Broadcast(reader.condition(c)?),
            ["rdlock", l] => Instr::ReadLock(reader.rw(l)?),
            ["wrlock", l] => Instr::WriteLock(reader.rw(l)?),
            ["tryrdlock", l] => Instr::TryReadLock(reader.rw(l)?, into),
            ["trywrlock", l] => Instr::TryWriteLock(reader.rw(l)?, into),
            ["rwunlock", l] => Instr::RwUnlock(reader.rw(l)?),
            ["barrier", b] => Instr::Barrier(reader.declared(b)?, into),
            ["semwait", s] => Instr::SemWait(reader.declared(s)?),
            ["semtrywait", s] => Instr::SemTryWait(reader.declared(s)?, into),
            ["sempost", s] => Instr::SemPost(reader.declared(s)?),
            ["semvalue", s] => Instr::SemValue(reader.declared(s)?, into),
            ["once", o] => {
                let done = format!("oncedone {o}");
                let otherwise = (at..steps.len())
                    .find(|&i| steps[i] == done)
                    .ok_or(format!("no `{done}` behind it"))?;
                Instr::Once { once: reader.object(o, Object::Once(0))?, otherwise: otherwise + 1 }
            }
            ["oncedone", o] => Instr::OnceDone(reader.object(o, Object::Once(0))?),
            ["futexwait", x, e] => Instr::FutexWait {
                var: reader.variable(x)?,
                expected: expression(registers, &[e])?,
            },
            ["futexwake", x, n] => Instr::FutexWake { var: reader.variable(x)?, most: number(n)? },
            ["atomic", "begin"] => Instr::AtomicBegin,
            ["atomic", "end"] => Instr::AtomicEnd,
            ["choose", a, from, to] => Instr::Choose {
                register: register(registers, a)?,
                from: number(from)?,
                to: number(to)?,
            },
            ["let", a, "=", e @ ..] => {
                let value = expression(registers, e)?;
                Instr::Let(register(registers, a)?, value)
            }
            ["round"] => Instr::Round,
            ["await"] => Instr::Await,
            ["goto", l] => Instr::Goto(label(l)?),
            ["if", e @ .., "goto", l] => Instr::If(expression(registers, e)?, label(l)?),
            ["assert", e @ ..] => Instr::Assert(expression(registers, e)?),
            ["fail"] => Instr::Assert(expression(registers, &["0"])?),
            _ => return Err("not a step".into()),
        })
    }
}
