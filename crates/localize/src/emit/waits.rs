//! Calls of threads and locks: the runtime models them, and the thread may have to wait.

use super::calls::{Answer, Call, Given};
use super::data::Result;
use super::thread::{Instance, Writer};
use unpick_ir::{Constant, Operand, Type};

impl Writer<'_> {
    /// Threads, locks and what else threads wait for.
    pub(super) fn synchronisation(
        &mut self,
        instance: &mut Instance,
        call: &Call,
        name: &str,
        given: &Given,
    ) -> Result<Answer> {
        let (me, place) = (self.me, call.place);
        let lock = self.object_name(call, 0);
        let expression = match name {
            "pthread_create" => format!(
                "unpick_create({}, {}, {}, {}, UNPICK_HERE)",
                given.argument(0),
                given.argument(1),
                given.argument(2),
                given.argument(3)
            ),
            "pthread_detach" => format!("unpick_detach({})", given.argument(0)),
            "pthread_self" => format!("{}UL", me + 1),
            "pthread_equal" => format!("{} == {}", given.argument(0), given.argument(1)),
            "pthread_exit" => {
                let keep = format!("unpick_threads[{me}].result = {}; ", given.argument(0));
                self.text.wants("unpick_done");
                self.text.code(place, format!("{keep}goto unpick_done;"));
                return Ok(Answer::Done);
            }
            "pthread_join" | "pthread_tryjoin_np" => {
                let patience =
                    if name == "pthread_join" { "UNPICK_FOREVER" } else { "UNPICK_AT_ONCE" };
                let into = self.error(&given.wanted);
                let (thread, out) = (given.argument(0), given.argument(1));
                let goes =
                    format!("unpick_join({me}, {thread}, {out}, {patience}, &{into}, UNPICK_HERE)");
                self.wait(place, &goes);
                return Ok(Answer::Done);
            }
            "pthread_mutex_init" => {
                format!(
                    "unpick_mutex_init({}, {}, UNPICK_HERE)",
                    given.argument(0),
                    given.argument(1)
                )
            }
            "pthread_mutex_destroy" => {
                format!("unpick_mutex_destroy({}, UNPICK_HERE)", given.argument(0))
            }
            "pthread_mutex_lock" | "pthread_mutex_trylock" | "pthread_mutex_timedlock" => {
                let patience = match name {
                    "pthread_mutex_lock" => "UNPICK_FOREVER",
                    "pthread_mutex_trylock" => "UNPICK_AT_ONCE",
                    _ => "UNPICK_TIMED",
                };
                let into = self.error(&given.wanted);
                let mutex = given.argument(0);
                let goes =
                    format!("unpick_lock({me}, {mutex}, {lock}, {patience}, &{into}, UNPICK_HERE)");
                self.wait(place, &goes);
                if name == "pthread_mutex_timedlock" {
                    let late = format!(
                        "if ({into} == UNPICK_ETIMEDOUT) unpick_is_late({});",
                        given.argument(1)
                    );
                    self.text.code(place, late);
                }
                return Ok(Answer::Done);
            }
            "pthread_mutex_unlock" => {
                format!("unpick_unlock({me}, {}, UNPICK_HERE)", given.argument(0))
            }
            "pthread_mutexattr_init" => {
                format!("(int)(UNPICK_AT(u32, {}) = 0)", given.argument(0))
            }
            "pthread_mutexattr_settype" => {
                format!("(int)(UNPICK_AT(u32, {}) = {}) * 0", given.argument(0), given.argument(1))
            }
            "pthread_attr_init" => format!("(int)(UNPICK_AT(u32, {} + 8) = 0)", given.argument(0)),
            "pthread_attr_setdetachstate" => {
                format!(
                    "(int)(UNPICK_AT(u32, {} + 8) = {}) * 0",
                    given.argument(0),
                    given.argument(1)
                )
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
            | "sched_yield"
            | "pthread_yield" => "0".into(),
            "pthread_cond_destroy" => {
                format!("unpick_sleepers({}) ? UNPICK_EBUSY : 0", given.argument(0))
            }
            "pthread_cond_wait" | "pthread_cond_timedwait" => {
                let timed = name == "pthread_cond_timedwait";
                self.condition_wait(instance, call, &given.wanted, timed)?;
                return Ok(Answer::Done);
            }
            "pthread_cond_signal" => format!("unpick_signal({me}, {})", given.argument(0)),
            "pthread_cond_broadcast" => format!("unpick_broadcast({})", given.argument(0)),
            "sem_init" => {
                format!("(int)(UNPICK_AT(u32, {}) = {}) * 0", given.argument(0), given.argument(2))
            }
            "sem_post" => format!("(int)(++UNPICK_AT(u32, {})) * 0", given.argument(0)),
            "sem_getvalue" => format!(
                "(int)(UNPICK_AT(u32, {}) = UNPICK_AT(u32, {})) * 0",
                given.argument(1),
                given.argument(0)
            ),
            "sem_wait" | "sem_trywait" | "sem_timedwait" => {
                let patience = match name {
                    "sem_wait" => "UNPICK_FOREVER",
                    "sem_trywait" => "UNPICK_AT_ONCE",
                    _ => "UNPICK_TIMED",
                };
                let into = self.error(&given.wanted);
                let goes = format!(
                    "unpick_semaphore_wait({me}, {}, {lock}, {patience}, &{into}, UNPICK_HERE)",
                    given.argument(0)
                );
                self.wait(place, &goes);
                if name == "sem_timedwait" {
                    let late = format!("if ({into}) unpick_is_late({});", given.argument(1));
                    self.text.code(place, late);
                }
                return Ok(Answer::Done);
            }
            "pthread_rwlock_init" => {
                format!("(int)(UNPICK_AT(u64, {}) = 0)", given.argument(0))
            }
            "pthread_rwlock_destroy" => {
                format!("unpick_rwlock_destroy({}, UNPICK_HERE)", given.argument(0))
            }
            "pthread_barrier_destroy" => {
                format!("unpick_barrier_destroy({}, UNPICK_HERE)", given.argument(0))
            }
            "pthread_rwlock_rdlock"
            | "pthread_rwlock_wrlock"
            | "pthread_rwlock_tryrdlock"
            | "pthread_rwlock_trywrlock" => {
                let write = u8::from(name.ends_with("wrlock"));
                let patience =
                    if name.contains("_try") { "UNPICK_AT_ONCE" } else { "UNPICK_FOREVER" };
                let into = self.error(&given.wanted);
                let goes = format!(
                    "unpick_rwlock_lock({me}, {}, {lock}, {write}, {patience}, &{into}, UNPICK_HERE)",
                    given.argument(0)
                );
                self.wait(place, &goes);
                return Ok(Answer::Done);
            }
            "pthread_rwlock_unlock" => {
                format!("unpick_rwlock_unlock({me}, {}, UNPICK_HERE)", given.argument(0))
            }
            "pthread_barrier_init" => {
                format!(
                    "unpick_barrier_init({}, (int){}, UNPICK_HERE)",
                    given.argument(0),
                    given.argument(2)
                )
            }
            "pthread_barrier_wait" => {
                let last = self.register("unsigned int");
                let barrier = given.argument(0);
                let arrive = format!("{last} = unpick_arrive({me}, {barrier}, UNPICK_HERE);");
                self.text.code(place, arrive);
                self.stop_at(instance, 1, place);
                self.wait(place, &format!("unpick_leave({me}, {barrier}, {lock}, UNPICK_HERE)"));
                self.give(&given.wanted, &format!("{last} ? -1 : 0"), place);
                return Ok(Answer::Done);
            }
            "pthread_once" => {
                self.once(instance, call, &given.wanted)?;
                return Ok(Answer::Done);
            }
            _ => return Ok(Answer::Unknown),
        };
        Ok(Answer::Value(expression))
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
}
