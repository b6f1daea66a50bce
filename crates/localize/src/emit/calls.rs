//! Calls: of functions with a body, which are written out; of threads and locks, which the runtime models; of the C
//! library, which does them itself.

use super::data::{Result, refused, sanitised};
use super::text::quoted;
use super::thread::{Instance, Writer};
use super::types;
use crate::spots::Part;
use unpick_ir::{
    Action, Callee, Constant, FunctionId, Operand, Place, Program, Register, Terminator, Type,
};

pub(super) struct Call<'a> {
    pub callee: &'a Callee,
    pub arguments: &'a [Operand],
    pub kinds: &'a [Type],
    pub kind: &'a Type,
    pub into: Option<Register>,
    pub place: Place,
}

/// Hooks of the compiler, and marks: nothing happens there, but a thread may stop.
const SILENT: &[&str] = &[
    "__tsan_read",
    "__tsan_write",
    "__tsan_unaligned",
    "__tsan_volatile",
    "__tsan_vptr",
    "__tsan_func",
    "__tsan_init",
    "__tsan_ignore",
    "__tsan_atomic_signal_fence",
    "__tsan_atomic_thread_fence",
    "__sanitizer_cov",
    "__unpick_begin",
    "__unpick_again",
    "__VERIFIER_atomic_begin",
    "__VERIFIER_atomic_end",
    "unpick_atomic_begin",
    "unpick_atomic_end",
    "unpick_ignore_race",
    "unpick_hand_lock",
    "unpick_hand_unlock",
    "llvm.lifetime",
    "llvm.dbg",
    "llvm.donothing",
    "llvm.prefetch",
    "llvm.sideeffect",
    "llvm.experimental.noalias",
    "llvm.stackrestore",
    "llvm.assume",
    "srand",
];

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

pub(super) fn called<'p>(program: &'p Program, action: &Action) -> Option<&'p str> {
    match action {
        Action::Call { callee: Callee::Function(id), .. } => Some(&program.function(*id).name),
        _ => None,
    }
}

fn is_hook(name: &str) -> bool {
    SILENT.iter().any(|begin| name.starts_with(begin))
}

/// What it is handed is not looked at.
pub(super) fn is_silent(program: &Program, action: &Action) -> bool {
    called(program, action).is_some_and(is_hook)
}

/// A call that counts by itself how often it was made, for it is several steps.
pub(super) fn counts_itself(program: &Program, action: &Action) -> bool {
    called(program, action) == Some("pthread_once")
}

/// Functions that could be called by their address.
pub(super) fn taken(program: &Program) -> Vec<FunctionId> {
    let mut found = std::collections::BTreeSet::new();
    let mut look = |operand: &Operand| {
        if let Operand::Constant(constant) = operand {
            functions_in(constant, &mut found);
        }
    };
    for block in program.functions.iter().flat_map(|function| &function.blocks) {
        for phi in &block.phis {
            phi.incoming.iter().for_each(|(_, value)| look(value));
        }
        for instruction in &block.instructions {
            match (&instruction.action, called(program, &instruction.action)) {
                (_, Some("pthread_create" | "pthread_once")) => {}
                (Action::Call { arguments, .. }, Some(_)) => arguments.iter().for_each(&mut look),
                (action, _) => action.operands().into_iter().for_each(&mut look),
            }
        }
        if let Terminator::Return(Some(value)) = &block.terminator {
            look(value);
        }
    }
    for global in &program.globals {
        if let Some(initial) = &global.initial {
            functions_in(initial, &mut found);
        }
    }
    found.into_iter().filter(|id| !program.function(*id).blocks.is_empty()).collect()
}

fn functions_in(constant: &Constant, found: &mut std::collections::BTreeSet<FunctionId>) {
    match constant {
        Constant::Function(id) => {
            found.insert(*id);
        }
        Constant::Aggregate { members, .. } => {
            members.iter().for_each(|member| functions_in(member, found));
        }
        Constant::Computed(action) => {
            for operand in action.operands() {
                if let Operand::Constant(constant) = operand {
                    functions_in(constant, found);
                }
            }
        }
        _ => {}
    }
}

impl Writer<'_> {
    pub fn call(&mut self, instance: &mut Instance, call: &Call) -> Result<()> {
        let program = self.data.program.clone();
        match call.callee {
            Callee::Function(id) if !program.function(*id).blocks.is_empty() => {
                let arguments = self.arguments(instance, call)?;
                let result = self.wanted(instance, call)?;
                self.inline(*id, arguments, result, call.place)
            }
            Callee::Function(id) => self.outside(instance, call, *id),
            Callee::Pointer(pointer) => {
                let pointer = self.operand(instance, pointer, &Type::Pointer)?;
                let arguments = self.arguments(instance, call)?;
                let result = self.wanted(instance, call)?;
                self.call_address(&pointer, arguments, result, call.place)
            }
            Callee::Assembler { text, .. } if text.trim().is_empty() => Ok(()),
            Callee::Assembler { .. } => self.beyond(instance, call.place, "inline assembler"),
        }
    }

    /// Where the result goes, if anybody wants it.
    fn wanted(&mut self, instance: &Instance, call: &Call) -> Result<Vec<String>> {
        match call.into.filter(|into| self.is_used(instance, *into)) {
            Some(into) => self.result(instance, into),
            None => Ok(Vec::new()),
        }
    }

    fn arguments(&mut self, instance: &Instance, call: &Call) -> Result<Vec<Vec<String>>> {
        let mut all = Vec::new();
        for (at, (operand, kind)) in call.arguments.iter().zip(call.kinds).enumerate() {
            let mut leaves = self.leaves(instance, operand, kind)?;
            if let (Operand::Constant(_), Type::Bits(width)) = (operand, kind) {
                leaves[0] = self.asked(instance, Part::Constant(at), leaves[0].clone(), *width);
            }
            all.push(leaves);
        }
        Ok(all)
    }

    /// Whichever function it is.
    pub fn call_address(
        &mut self,
        pointer: &str,
        arguments: Vec<Vec<String>>,
        result: Vec<String>,
        place: Place,
    ) -> Result<()> {
        let program = self.data.program.clone();
        let done = format!("C{}", self.new_number());
        for id in taken(&program) {
            let function = program.function(id);
            if function.parameters.len() != arguments.len() || function.variadic {
                continue;
            }
            let name = self.data.function(id);
            self.text.code(place, format!("if ({pointer} == {name}) {{"));
            self.inline(id, arguments.clone(), result.clone(), place)?;
            self.text.wants(&done);
            self.text.code(place, format!("goto {done}; }}"));
        }
        let fail = "unpick_fail(UNPICK_HERE, \"crash\", \"what is called is no function\");";
        self.text.code(place, fail);
        self.text.label(&done);
        Ok(())
    }

    /// A function without a body.
    fn outside(&mut self, instance: &mut Instance, call: &Call, id: FunctionId) -> Result<()> {
        let program = self.data.program.clone();
        let name = program.function(id).name.clone();
        let place = call.place;
        if is_hook(&name) {
            return Ok(());
        }
        if let Some(name) = name.strip_prefix("llvm.") {
            return self.intrinsic(instance, call, name);
        }
        if name.starts_with("__tsan_atomic") || name.starts_with("__atomic_") {
            return self.atomic(instance, call, &name);
        }
        let wanted = self.wanted(instance, call)?;
        let asserts = ["__assert_fail", "unpick_assert_fail", "__assert"].contains(&&*name);
        let arguments = if asserts { Vec::new() } else { self.arguments(instance, call)? };
        let argument = |at: usize| arguments.get(at).map_or("0".to_string(), |it| it.concat());
        let lock = self.object_name(call, 0);
        let me = self.me;
        let expression = match &*name {
            "pthread_create" => format!(
                "unpick_create({}, {}, {}, {}, UNPICK_HERE)",
                argument(0),
                argument(1),
                argument(2),
                argument(3)
            ),
            "pthread_detach" => format!("unpick_detach({})", argument(0)),
            "pthread_self" => format!("{}UL", me + 1),
            "pthread_equal" => format!("{} == {}", argument(0), argument(1)),
            "pthread_exit" => {
                let keep = format!("unpick_threads[{me}].result = {}; ", argument(0));
                self.text.wants("unpick_done");
                self.text.code(place, format!("{keep}goto unpick_done;"));
                return Ok(());
            }
            "exit" | "_exit" | "_Exit" => {
                self.text.wants("unpick_leaving");
                let leave = format!("unpick_status = (int){}; goto unpick_leaving;", argument(0));
                self.text.code(place, leave);
                return Ok(());
            }
            "pthread_join" | "pthread_tryjoin_np" => {
                let patience =
                    if name == "pthread_join" { "UNPICK_FOREVER" } else { "UNPICK_AT_ONCE" };
                let into = self.error(&wanted);
                let (thread, out) = (argument(0), argument(1));
                let goes =
                    format!("unpick_join({me}, {thread}, {out}, {patience}, &{into}, UNPICK_HERE)");
                self.wait(place, &goes);
                return Ok(());
            }
            "pthread_mutex_init" => {
                format!("unpick_mutex_init({}, {}, UNPICK_HERE)", argument(0), argument(1))
            }
            "pthread_mutex_destroy" => {
                format!("unpick_mutex_destroy({}, UNPICK_HERE)", argument(0))
            }
            "pthread_mutex_lock" | "pthread_mutex_trylock" | "pthread_mutex_timedlock" => {
                let patience = match &*name {
                    "pthread_mutex_lock" => "UNPICK_FOREVER",
                    "pthread_mutex_trylock" => "UNPICK_AT_ONCE",
                    _ => "UNPICK_TIMED",
                };
                let into = self.error(&wanted);
                let mutex = argument(0);
                let goes =
                    format!("unpick_lock({me}, {mutex}, {lock}, {patience}, &{into}, UNPICK_HERE)");
                self.wait(place, &goes);
                if name == "pthread_mutex_timedlock" {
                    let late =
                        format!("if ({into} == UNPICK_ETIMEDOUT) unpick_is_late({});", argument(1));
                    self.text.code(place, late);
                }
                return Ok(());
            }
            "pthread_mutex_unlock" => format!("unpick_unlock({me}, {}, UNPICK_HERE)", argument(0)),
            "pthread_mutexattr_init" => {
                format!("(int)(UNPICK_AT(u32, {}) = 0)", argument(0))
            }
            "pthread_mutexattr_settype" => {
                format!("(int)(UNPICK_AT(u32, {}) = {}) * 0", argument(0), argument(1))
            }
            "pthread_attr_init" => format!("(int)(UNPICK_AT(u32, {} + 8) = 0)", argument(0)),
            "pthread_attr_setdetachstate" => {
                format!("(int)(UNPICK_AT(u32, {} + 8) = {}) * 0", argument(0), argument(1))
            }
            "pthread_mutexattr_destroy"
            | "pthread_attr_destroy"
            | "pthread_condattr_init"
            | "pthread_condattr_destroy"
            | "pthread_attr_setstacksize"
            | "pthread_setcancelstate"
            | "pthread_setcanceltype"
            | "pthread_testcancel"
            | "pthread_setname_np"
            | "pthread_setconcurrency"
            | "pthread_cond_init"
            | "sem_destroy"
            | "pthread_barrier_destroy"
            | "sched_yield"
            | "pthread_yield" => "0".into(),
            "sleep" => format!("unpick_pass((unsigned long){} * UNPICK_SECOND)", argument(0)),
            "usleep" => format!("unpick_pass((unsigned long){} * 1000)", argument(0)),
            "nanosleep" => format!("unpick_pass(unpick_length({}))", argument(0)),
            "time" => format!("unpick_time({}, UNPICK_HERE)", argument(0)),
            "clock_gettime" => {
                format!("unpick_gettime({}, {}, 1, UNPICK_HERE)", argument(0), argument(1))
            }
            "gettimeofday" => format!("unpick_gettime(0, {}, 1000, UNPICK_HERE)", argument(0)),
            "getenv" => "(char *)0".into(),
            "__errno_location" => format!("(char *)&unpick_threads[{me}].error"),
            "pthread_cond_destroy" => {
                format!("unpick_sleepers({}) ? UNPICK_EBUSY : 0", argument(0))
            }
            "pthread_cond_wait" | "pthread_cond_timedwait" => {
                let timed = name == "pthread_cond_timedwait";
                return self.condition_wait(instance, call, &wanted, timed);
            }
            "pthread_cond_signal" => format!("unpick_signal({me}, {})", argument(0)),
            "pthread_cond_broadcast" => format!("unpick_broadcast({})", argument(0)),
            "sem_init" => format!("(int)(UNPICK_AT(u32, {}) = {}) * 0", argument(0), argument(2)),
            "sem_post" => format!("(int)(++UNPICK_AT(u32, {})) * 0", argument(0)),
            "sem_getvalue" => format!(
                "(int)(UNPICK_AT(u32, {}) = UNPICK_AT(u32, {})) * 0",
                argument(1),
                argument(0)
            ),
            "sem_wait" | "sem_trywait" | "sem_timedwait" => {
                let patience = match &*name {
                    "sem_wait" => "UNPICK_FOREVER",
                    "sem_trywait" => "UNPICK_AT_ONCE",
                    _ => "UNPICK_TIMED",
                };
                let into = self.error(&wanted);
                let goes = format!(
                    "unpick_semaphore_wait({me}, {}, {lock}, {patience}, &{into}, UNPICK_HERE)",
                    argument(0)
                );
                self.wait(place, &goes);
                if name == "sem_timedwait" {
                    let late = format!("if ({into}) unpick_is_late({});", argument(1));
                    self.text.code(place, late);
                }
                return Ok(());
            }
            "pthread_rwlock_init" => {
                format!("(int)(UNPICK_AT(u64, {}) = 0)", argument(0))
            }
            "pthread_rwlock_destroy" => "0".into(),
            "pthread_rwlock_rdlock"
            | "pthread_rwlock_wrlock"
            | "pthread_rwlock_tryrdlock"
            | "pthread_rwlock_trywrlock" => {
                let write = u8::from(name.ends_with("wrlock"));
                let patience =
                    if name.contains("_try") { "UNPICK_AT_ONCE" } else { "UNPICK_FOREVER" };
                let into = self.error(&wanted);
                let goes = format!(
                    "unpick_rwlock_lock({me}, {}, {lock}, {write}, {patience}, &{into}, UNPICK_HERE)",
                    argument(0)
                );
                self.wait(place, &goes);
                return Ok(());
            }
            "pthread_rwlock_unlock" => {
                format!("unpick_rwlock_unlock({me}, {}, UNPICK_HERE)", argument(0))
            }
            "pthread_barrier_init" => {
                format!("unpick_barrier_init({}, (int){}, UNPICK_HERE)", argument(0), argument(2))
            }
            "pthread_barrier_wait" => {
                let last = self.register("unsigned int");
                let barrier = argument(0);
                let arrive = format!("{last} = unpick_arrive({me}, {barrier}, UNPICK_HERE);");
                self.text.code(place, arrive);
                self.stop_at(instance, 1, place);
                self.wait(place, &format!("unpick_leave({me}, {barrier}, {lock}, UNPICK_HERE)"));
                self.give(&wanted, &format!("{last} ? -1 : 0"), place);
                return Ok(());
            }
            "pthread_once" => return self.once(instance, call, &wanted),
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
                self.text.code(place, format!("if (!{}) {fail};", argument(0)));
                return Ok(());
            }
            "__VERIFIER_assume" => {
                let stray = "unpick_stray(UNPICK_HERE, \"an assumption does not hold\")";
                self.text.code(place, format!("if (!{}) {stray};", argument(0)));
                return Ok(());
            }
            "malloc" | "_Znwm" | "_Znam" | "valloc" => format!("unpick_malloc({})", argument(0)),
            "calloc" => format!("unpick_calloc({}, {})", argument(0), argument(1)),
            "realloc" => format!("unpick_realloc({}, {}, UNPICK_HERE)", argument(0), argument(1)),
            "free" | "cfree" | "_ZdlPv" | "_ZdaPv" | "_ZdlPvm" | "_ZdaPvm" => {
                format!("unpick_free({}, UNPICK_HERE)", argument(0))
            }
            "memcpy" | "memmove" | "__tsan_memcpy" | "__tsan_memmove" => {
                let (to, from, size) = (argument(0), argument(1), argument(2));
                self.text.code(place, format!("unpick_copy({to}, {from}, {size}, UNPICK_HERE);"));
                self.give(&wanted, &to, place);
                return Ok(());
            }
            "memset" | "__tsan_memset" => {
                let (to, byte, size) = (argument(0), argument(1), argument(2));
                let fill = format!("unpick_fill({to}, (int){byte}, {size}, UNPICK_HERE);");
                self.text.code(place, fill);
                self.give(&wanted, &to, place);
                return Ok(());
            }
            "rand" | "random" | "lrand48" => format!("unpick_input({me})"),
            "__VERIFIER_nondet_float" => format!("unpick_to_f32(unpick_input({me}))"),
            "__VERIFIER_nondet_double" => format!("unpick_to_f64(unpick_input({me}))"),
            name if name.starts_with("__VERIFIER_nondet_") => match call.kind {
                Type::Pointer => format!("(char *)unpick_input({me})"),
                _ => format!("unpick_input({me})"),
            },
            name if LIBRARY.contains(&name) => {
                return self.library(call, name, &arguments, &wanted);
            }
            _ => {
                for name in &wanted {
                    self.text.code(place, format!("{name} = 0;"));
                }
                return self.beyond(instance, place, &format!("`{name}`"));
            }
        };
        self.give(&wanted, &expression, place);
        Ok(())
    }

    /// The result of a call, or only the call.
    fn give(&mut self, wanted: &[String], expression: &str, place: Place) {
        match wanted.first() {
            Some(into) => self.text.code(place, format!("{into} = {expression};")),
            None if expression.starts_with(|it: char| it.is_ascii_lowercase())
                && expression.contains('(') =>
            {
                self.text.code(place, format!("{expression};"));
            }
            None => self.text.code(place, format!("(void)({expression});")),
        }
    }

    /// A place for an error that nobody may look at.
    fn error(&mut self, wanted: &[String]) -> String {
        match wanted.first() {
            Some(into) => into.clone(),
            None => "unpick_error".into(),
        }
    }

    /// What the program calls the object of a call, as a string of C.
    fn object_name(&mut self, call: &Call, argument: usize) -> String {
        match call.arguments.get(argument) {
            Some(Operand::Constant(Constant::Global { global, offset: 0 })) => {
                quoted(&self.data.program.global(*global).name)
            }
            _ => "0".into(),
        }
    }

    /// A text that stands in the program.
    fn literal(&self, operand: &Operand) -> Option<String> {
        let Operand::Constant(Constant::Global { global, offset: 0 }) = operand else {
            return None;
        };
        match self.data.program.global(*global).initial.as_ref()? {
            Constant::Bytes { bytes, .. } => {
                let text = bytes.split(|byte| *byte == 0).next()?;
                Some(String::from_utf8_lossy(text).into_owned())
            }
            _ => None,
        }
    }

    fn condition_wait(
        &mut self,
        instance: &mut Instance,
        call: &Call,
        wanted: &[String],
        timed: bool,
    ) -> Result<()> {
        let (me, place) = (self.me, call.place);
        let condition = self.operand(instance, &call.arguments[0], &Type::Pointer)?;
        let mutex = self.operand(instance, &call.arguments[1], &Type::Pointer)?;
        let names = (self.object_name(call, 0), self.object_name(call, 1));
        let into = self.error(wanted);
        self.text.code(
            place,
            format!("if (unpick_sleep({me}, {condition}, {mutex}, &{into}, UNPICK_HERE)) {{"),
        );
        self.stop_at(instance, 1, place);
        if timed {
            let until = self.operand(instance, &call.arguments[2], &Type::Pointer)?;
            self.text.code(place, format!("unpick_time_out({me}, {until});"));
            self.stop_at(instance, 2, place);
        }
        let goes =
            format!("unpick_wake({me}, {mutex}, {}, {}, &{into}, UNPICK_HERE)", names.0, names.1);
        self.wait(place, &goes);
        self.text.code(place, "}");
        Ok(())
    }

    fn once(&mut self, instance: &mut Instance, call: &Call, wanted: &[String]) -> Result<()> {
        let (me, place) = (self.me, call.place);
        let once = self.operand(instance, &call.arguments[0], &Type::Pointer)?;
        self.wait(place, &format!("unpick_once({me}, {once}, &unpick_first, UNPICK_HERE)"));
        self.passed(instance, place);
        self.text.code(place, "if (unpick_first) {");
        match &call.arguments[1] {
            Operand::Constant(Constant::Function(id)) => {
                self.inline(*id, Vec::new(), Vec::new(), place)?;
            }
            pointer => {
                let pointer = self.operand(instance, pointer, &Type::Pointer)?;
                self.call_address(&pointer, Vec::new(), Vec::new(), place)?;
            }
        }
        self.stop_at(instance, 1, place);
        self.text.code(place, format!("UNPICK_AT(u32, {once}) = 2;"));
        self.passed(instance, place);
        self.text.code(place, "}");
        self.give(wanted, "0", place);
        Ok(())
    }

    /// A function of the C library itself, under a name that no variable has.
    fn library(
        &mut self,
        call: &Call,
        name: &str,
        arguments: &[Vec<String>],
        wanted: &[String],
    ) -> Result<()> {
        let program = self.data.program.clone();
        let Callee::Function(id) = call.callee else { return Ok(()) };
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
        self.give(wanted, &format!("{ours}({})", arguments.join(", ")), call.place);
        Ok(())
    }

    /// One of LLVM's own functions.
    fn intrinsic(&mut self, instance: &mut Instance, call: &Call, name: &str) -> Result<()> {
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
    fn atomic(&mut self, instance: &mut Instance, call: &Call, name: &str) -> Result<()> {
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
