//! C11's `threads.h`: the same objects and operations as POSIX's, with results of its own.

use super::errors::*;
use super::*;

fn result(error: i32) -> i32 {
    const BUSY: i32 = 1;
    const ERROR: i32 = 2;
    const TIMED_OUT: i32 = 4;
    match error {
        0 => 0,
        EBUSY => BUSY,
        ETIMEDOUT => TIMED_OUT,
        _ => ERROR,
    }
}

/// What the POSIX function of that name does, with C11's results.
fn like(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
    call: &Call,
    model: Model,
) -> Result<Effect, Stop> {
    let effect = model(machine, state, thread, call)?;
    let Effect::Return(value) = &effect else { return Ok(effect) };
    match value.as_signed() {
        Some(error) if *call.result != Type::Void => give(result(error as i32)),
        _ => Ok(effect),
    }
}

/// The POSIX model of that name.
fn posix(name: &str) -> Option<Model> {
    let all = FAMILIES.iter().flat_map(|family| family.iter());
    all.copied().find(|(known, _)| known.contains(&name)).map(|(_, model)| model)
}

macro_rules! likes {
    ($($name:ident => $posix:literal;)*) => {
        $(fn $name(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
            match posix($posix) {
                Some(model) => like(m, s, t, call, model),
                None => unsupported(m, s, t, call),
            }
        })*
    };
}

likes! {
    lock => "pthread_mutex_lock";
    trylock => "pthread_mutex_trylock";
    timedlock => "pthread_mutex_timedlock";
    unlock => "pthread_mutex_unlock";
    destroy => "pthread_mutex_destroy";
    condition_init => "pthread_cond_init";
    wait => "pthread_cond_wait";
    timedwait => "pthread_cond_timedwait";
    signal => "pthread_cond_signal";
    broadcast => "pthread_cond_broadcast";
    condition_destroy => "pthread_cond_destroy";
    detach => "pthread_detach";
    key_create => "pthread_key_create";
}

/// The routine returns an `int` where a pthread's returns a pointer.
fn create(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let [_, start, argument] = call.arguments else { return unsupported(m, s, t, call) };
    give(result(threads::create_as(m, s, t, call, None, (start, argument))?))
}

fn join(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let out = match is_null(&call.arguments[1]) {
        true => None,
        false => Some(crate::operation::Range::new(
            m.concrete_address(s, t, &call.arguments[1], 4)?,
            4,
            true,
        )),
    };
    let value = match threads::join_as(m, s, t, call, Patience::Forever, out.clone())? {
        Ok(value) => value,
        Err(error) => return give(result(error)),
    };
    if let Some(range) = out {
        let at = Value::known(m.pointer_width(), range.address);
        let value = m.resize(&value, 32, true);
        m.store(s, t, &at, &Type::Bits(32), &value)?;
        m.note_range(s, t, &range);
    }
    give(0)
}

fn mutex_init(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    const RECURSIVE: u64 = 1;
    let mutex = object_at(m, s, t, call, 0)?;
    let kind = m.concrete(s, t, &call.arguments[1])?;
    mutex::initialise(m, s, t, call, mutex, (kind & RECURSIVE) as u32)?;
    give(0)
}

fn call_once(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    match once::once(m, s, t, call)? {
        Effect::Return(_) => give_nothing(),
        effect => Ok(effect),
    }
}

pub const MODELS: &[Row] = &[
    (&["thrd_create"], create),
    (&["thrd_join"], join),
    (&["thrd_detach"], detach),
    (&["thrd_exit"], threads::EXIT),
    (&["thrd_current"], threads::SELF),
    (&["thrd_equal"], threads::equal),
    (&["mtx_init"], mutex_init),
    (&["mtx_lock"], lock),
    (&["mtx_trylock"], trylock),
    (&["mtx_timedlock"], timedlock),
    (&["mtx_unlock"], unlock),
    (&["mtx_destroy"], destroy),
    (&["cnd_init"], condition_init),
    (&["cnd_wait"], wait),
    (&["cnd_timedwait"], timedwait),
    (&["cnd_signal"], signal),
    (&["cnd_broadcast"], broadcast),
    (&["cnd_destroy"], condition_destroy),
    (&["call_once"], call_once),
    (&["tss_create"], key_create),
    (&["tss_delete"], keys::DELETE),
];
