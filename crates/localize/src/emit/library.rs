//! Calls of the C library: what the file must do by itself, and what the library itself does.

use super::calls::{Answer, Call, Given};
use super::data::{Result, refused, sanitised};
use super::text::quoted;
use super::thread::{Instance, Writer};
use super::types;
use unpick_ir::{Callee, Type};

/// The C library's own functions that are called as they are.
const LIBRARY: &[&str] = &[
    "strlen",
    "strnlen",
    "strcmp",
    "strcoll",
    "strncmp",
    "strcasecmp",
    "strncasecmp",
    "stpcpy",
    "strncpy",
    "strcat",
    "strncat",
    "strchr",
    "index",
    "strchrnul",
    "strrchr",
    "rindex",
    "strstr",
    "strspn",
    "strcspn",
    "strpbrk",
    "strcpy",
    "memcmp",
    "bcmp",
    "memchr",
    "memrchr",
    "abs",
    "labs",
    "llabs",
    "atoi",
    "atol",
    "atoll",
    "atof",
    "strtol",
    "strtoll",
    "strtoul",
    "strtoull",
    "strtod",
    "__isoc23_strtol",
    "__isoc23_strtoll",
    "__isoc23_strtoul",
    "__isoc23_strtoull",
    "toupper",
    "tolower",
    "isalpha",
    "isdigit",
    "isalnum",
    "isspace",
    "isupper",
    "islower",
    "isprint",
    "ispunct",
    "isxdigit",
    "__ctype_b_loc",
    "__ctype_toupper_loc",
    "__ctype_tolower_loc",
    "printf",
    "fprintf",
    "dprintf",
    "sprintf",
    "snprintf",
    "__printf_chk",
    "__fprintf_chk",
    "__sprintf_chk",
    "__snprintf_chk",
    "puts",
    "fputs",
    "putchar",
    "putc",
    "fputc",
    "fwrite",
    "write",
    "fflush",
    "perror",
    "setbuf",
    "setvbuf",
    "setlinebuf",
    "sqrt",
    "sqrtf",
    "fabs",
    "fabsf",
    "floor",
    "floorf",
    "ceil",
    "ceilf",
    "trunc",
    "truncf",
    "round",
    "roundf",
    "fmin",
    "fminf",
    "fmax",
    "fmaxf",
    "fmod",
    "fmodf",
    "copysign",
    "copysignf",
];

/// Those whose pointers are followed.
const FOLLOWS: &[&str] = &["str", "stp", "mem", "bcmp", "ato", "puts"];

impl Writer<'_> {
    /// How a process ends, what it asserts and assumes.
    pub(super) fn process(
        &mut self,
        _: &mut Instance,
        call: &Call,
        name: &str,
        given: &Given,
    ) -> Result<Answer> {
        let place = call.place;
        let expression = match name {
            "exit" | "_exit" | "_Exit" => {
                self.text.wants("unpick_leaving");
                let leave =
                    format!("unpick_status = (int){}; goto unpick_leaving;", given.argument(0));
                self.text.code(place, leave);
                return Ok(Answer::Done);
            }
            "abort" => "unpick_fail(UNPICK_HERE, \"abort\", \"`abort` is called\")".into(),
            "__assert_fail" | "unpick_assert_fail" | "__assert" => {
                let words = self.literal(&call.arguments[0]).unwrap_or("an assertion".into());
                format!("unpick_fail(UNPICK_HERE, \"assertion\", {})", quoted(&words))
            }
            "reach_error" | "__VERIFIER_error" => {
                let words = quoted(&format!("{name}() is called"));
                format!("unpick_fail(UNPICK_HERE, \"assertion\", {words})")
            }
            "__VERIFIER_assert" => {
                let fail =
                    "unpick_fail(UNPICK_HERE, \"assertion\", \"__VERIFIER_assert() failed\")";
                self.text.code(place, format!("if (!{}) {fail};", given.argument(0)));
                return Ok(Answer::Done);
            }
            "__VERIFIER_assume" => {
                let stray = "unpick_stray(UNPICK_HERE, \"an assumption does not hold\")";
                self.text.code(place, format!("if (!{}) {stray};", given.argument(0)));
                return Ok(Answer::Done);
            }
            _ => return Ok(Answer::Unknown),
        };
        Ok(Answer::Value(expression))
    }

    /// Memory, time, and what comes from outside.
    pub(super) fn surroundings(
        &mut self,
        _: &mut Instance,
        call: &Call,
        name: &str,
        given: &Given,
    ) -> Result<Answer> {
        let (me, place) = (self.me, call.place);
        let expression = match name {
            "sleep" => format!("unpick_pass((unsigned long){} * UNPICK_SECOND)", given.argument(0)),
            "usleep" => format!("unpick_pass((unsigned long){} * 1000)", given.argument(0)),
            "nanosleep" => format!("unpick_pass(unpick_length({}))", given.argument(0)),
            "time" => format!("unpick_time({}, UNPICK_HERE)", given.argument(0)),
            "clock_gettime" => {
                format!(
                    "unpick_gettime({}, {}, 1, UNPICK_HERE)",
                    given.argument(0),
                    given.argument(1)
                )
            }
            "gettimeofday" => {
                format!("unpick_gettime(0, {}, 1000, UNPICK_HERE)", given.argument(0))
            }
            "getenv" => "(char *)0".into(),
            "__errno_location" => format!("(char *)&unpick_threads[{me}].error"),
            "malloc" | "_Znwm" | "_Znam" | "valloc" => {
                format!("unpick_malloc({})", given.argument(0))
            }
            "calloc" => format!("unpick_calloc({}, {})", given.argument(0), given.argument(1)),
            "realloc" => {
                format!("unpick_realloc({}, {}, UNPICK_HERE)", given.argument(0), given.argument(1))
            }
            "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => {
                format!("unpick_free({}, UNPICK_HERE)", given.argument(0))
            }
            "memcpy" | "memmove" | "__tsan_memcpy" | "__tsan_memmove" => {
                let (to, from, size) = (given.argument(0), given.argument(1), given.argument(2));
                self.text.code(place, format!("unpick_copy({to}, {from}, {size}, UNPICK_HERE);"));
                self.give(&given.wanted, &to, place);
                return Ok(Answer::Done);
            }
            "memset" | "__tsan_memset" => {
                let (to, byte, size) = (given.argument(0), given.argument(1), given.argument(2));
                let fill = format!("unpick_fill({to}, (int){byte}, {size}, UNPICK_HERE);");
                self.text.code(place, fill);
                self.give(&given.wanted, &to, place);
                return Ok(Answer::Done);
            }
            "rand" | "random" | "lrand48" => format!("unpick_input({me})"),
            "__VERIFIER_nondet_float" => format!("unpick_to_f32(unpick_input({me}))"),
            "__VERIFIER_nondet_double" => format!("unpick_to_f64(unpick_input({me}))"),
            name if name.starts_with("__VERIFIER_nondet_") => match call.kind {
                Type::Pointer => format!("(char *)unpick_input({me})"),
                _ => format!("unpick_input({me})"),
            },
            _ => return Ok(Answer::Unknown),
        };
        Ok(Answer::Value(expression))
    }

    /// A function of the C library itself, under a name that no variable has.
    pub(super) fn library(
        &mut self,
        _: &mut Instance,
        call: &Call,
        name: &str,
        given: &Given,
    ) -> Result<Answer> {
        if !LIBRARY.contains(&name) {
            return Ok(Answer::Unknown);
        }
        let arguments = &given.arguments;
        let program = self.data.program.clone();
        let Callee::Function(id) = call.callee else { return Ok(Answer::Unknown) };
        let function = program.function(*id);
        let c_type = |kind: &Type| match kind {
            Type::Void => Some("void"),
            _ => types::register(kind),
        };
        let mut parameters = Vec::new();
        for parameter in &function.parameters {
            let Some(kind) = c_type(&parameter.kind) else {
                return refused(format!("what `{name}` is handed"));
            };
            parameters.push(kind);
        }
        let Some(result) = c_type(&function.result) else {
            return refused(format!("what `{name}` gives"));
        };
        if function.variadic {
            parameters.push("...");
        } else if parameters.is_empty() {
            parameters.push("void");
        }
        let ours = format!("unpick_libc_{}", sanitised(name));
        let declared =
            format!("extern {result} {ours}({}) __asm__(\"{name}\");", parameters.join(", "));
        self.data.library.insert(ours.clone(), declared);
        if FOLLOWS.iter().any(|begin| name.starts_with(begin)) {
            for (argument, kind) in arguments.iter().zip(call.kinds) {
                if *kind == Type::Pointer {
                    let size = match name {
                        "strcpy" => {
                            self.data.library.insert(
                                "unpick_libc_strlen".into(),
                                "extern unsigned long unpick_libc_strlen(char *) __asm__(\"strlen\");"
                                    .into(),
                            );
                            format!("unpick_libc_strlen({}) + 1", arguments[1].concat())
                        }
                        _ => "1".into(),
                    };
                    let pointer = argument.concat();
                    if name == "strcpy" && argument == &arguments[0] {
                        let source = arguments[1].concat();
                        let look = format!("unpick_check({source}, 1, UNPICK_HERE);");
                        self.text.code(call.place, look);
                    }
                    let look = format!("unpick_check({pointer}, {size}, UNPICK_HERE);");
                    self.text.code(call.place, look);
                }
            }
        }
        let arguments: Vec<String> = arguments
            .iter()
            .zip(call.kinds)
            .map(|(leaves, kind)| match kind {
                // What is printed is mostly signed; what is not is the same.
                Type::Bits(width) if function.variadic => {
                    format!("({}){}", types::signed(*width), leaves.concat())
                }
                _ => leaves.concat(),
            })
            .collect();
        Ok(Answer::Value(format!("{ours}({})", arguments.join(", "))))
    }
}
