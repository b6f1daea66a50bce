//! Thread-specific data. When a thread ends, destructors of what it left are called, by the numbers of their keys, in
//! at most four passes.

use super::errors::*;
use super::*;

const PASSES: u32 = 4;
const MOST: usize = 1024;

fn create(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let out = m.concrete_address(s, t, &call.arguments[0], 4)?;
    let keys = Rc::make_mut(&mut s.sync.keys);
    if keys.is_empty() {
        // The native runtime has the first one.
        keys.push(Some(Value::Undefined));
    }
    let free = keys.iter().position(Option::is_none);
    let key = free.unwrap_or(keys.len());
    if key >= MOST {
        return give(EAGAIN);
    }
    if free.is_none() {
        keys.push(None);
    }
    keys[key] = Some(call.arguments[1].clone());
    poke(m, s, t, out, key as u32)?;
    give(0)
}

fn is_known(state: &State, key: u64) -> bool {
    key > 0 && state.sync.keys.get(key as usize).is_some_and(Option::is_some)
}

fn delete(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let key = m.concrete(s, t, &call.arguments[0])?;
    if !is_known(s, key) {
        return give(EINVAL);
    }
    Rc::make_mut(&mut s.sync.keys)[key as usize] = None;
    for thread in 0..s.threads.len() {
        if s.thread(thread).extra.specific.contains_key(&(key as u32)) {
            Rc::make_mut(&mut s.thread_mut(thread).extra.specific).remove(&(key as u32));
        }
    }
    give(0)
}

fn set(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let key = m.concrete(s, t, &call.arguments[0])?;
    if !is_known(s, key) {
        return give(EINVAL);
    }
    let values = &mut s.thread_mut(t).extra.specific;
    Rc::make_mut(values).insert(key as u32, call.arguments[1].clone());
    give(0)
}

fn get(m: &mut Machine, s: &mut State, t: usize, call: &Call) -> Result<Effect, Stop> {
    let key = m.concrete(s, t, &call.arguments[0])?;
    let value = s.thread(t).extra.specific.get(&(key as u32)).cloned();
    let null = Value::known(m.pointer_width(), 0);
    Ok(Effect::Return(value.filter(|_| is_known(s, key)).unwrap_or(null)))
}

/// The thread ends: enters its next destructor. False: there is none left.
pub(super) fn destroy_next(
    machine: &mut Machine,
    state: &mut State,
    thread: usize,
) -> Result<bool, Stop> {
    loop {
        let (pass, from) = state.thread(thread).extra.ending;
        if pass >= PASSES {
            return Ok(false);
        }
        let values = state.thread(thread).extra.specific.clone();
        let has_destructor = |key: u32| {
            let destructor = state.sync.keys.get(key as usize).cloned().flatten();
            destructor.filter(|destructor| !is_null(destructor))
        };
        let next = values.range(from..).find_map(|(key, value)| {
            let destructor = has_destructor(*key).filter(|_| !is_null(value))?;
            Some((*key, value.clone(), destructor))
        });
        let Some((key, value, destructor)) = next else {
            let again =
                values.iter().any(|(key, value)| !is_null(value) && has_destructor(*key).is_some());
            state.thread_mut(thread).extra.ending = (if again { pass + 1 } else { PASSES }, 0);
            continue;
        };
        if machine.concrete(state, thread, &value)? == 0 {
            state.thread_mut(thread).extra.ending.1 = key + 1;
            continue;
        }
        let function = machine.function_at(state, thread, &destructor)?;
        let null = Value::known(machine.pointer_width(), 0);
        let extra = &mut state.thread_mut(thread).extra;
        Rc::make_mut(&mut extra.specific).insert(key, null);
        extra.ending.1 = key + 1;
        machine.enter(state, thread, function, vec![value])?;
        return Ok(true);
    }
}

pub const MODELS: &[Row] = &[
    (&["pthread_key_create"], create),
    (&["pthread_key_delete"], delete),
    (&["pthread_setspecific"], set),
    (&["pthread_getspecific"], get),
    (&["tss_set"], set),
    (&["tss_get"], get),
];

pub(super) const DELETE: Model = delete;
