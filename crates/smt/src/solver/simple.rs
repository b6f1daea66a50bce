//! Z3's incremental solver alone.
//!
//! What its interface calls a solver is two: beside the incremental one another that is used where nothing was asserted
//! in levels and nothing is assumed. We always do, so it would never be asked; but it is made with the first level, out
//! of all of Z3's tactics, in 4 ms (7 the first time) in place of 0.3. The `z3` crate gives no access to this one.

use ::z3::ast::{Ast, Bool, Dynamic};
use ::z3::{Context, SatResult};
use std::ffi::CStr;
use z3_sys::*;

pub(super) struct Simple {
    context: Context,
    solver: Z3_solver,
}

// All calls below are safe: what they are given is alive as long as `self` is, and of its context.
impl Simple {
    pub fn new() -> Simple {
        let context = Context::thread_local();
        unsafe {
            let raw = context.get_z3_context();
            let solver = Z3_mk_simple_solver(raw).expect("memory for a solver");
            Z3_solver_inc_ref(raw, solver);
            Simple { context, solver }
        }
    }

    fn raw(&self) -> (Z3_context, Z3_solver) {
        (self.context.get_z3_context(), self.solver)
    }

    pub fn set(&self, name: &CStr, value: u32) {
        let (context, solver) = self.raw();
        unsafe {
            let params = Z3_mk_params(context).expect("memory for a parameter");
            Z3_params_inc_ref(context, params);
            let name = Z3_mk_string_symbol(context, name.as_ptr()).expect("memory for a name");
            Z3_params_set_uint(context, params, name, value);
            Z3_solver_set_params(context, solver, params);
            Z3_params_dec_ref(context, params);
        }
    }

    pub fn push(&self) {
        let (context, solver) = self.raw();
        unsafe { Z3_solver_push(context, solver) }
    }

    pub fn pop(&self, levels: u32) {
        let (context, solver) = self.raw();
        unsafe { Z3_solver_pop(context, solver, levels) }
    }

    pub fn assert(&self, assertion: &Bool) {
        let (context, solver) = self.raw();
        unsafe { Z3_solver_assert(context, solver, assertion.get_z3_ast()) }
    }

    pub fn check(&self, assumed: &[Bool]) -> SatResult {
        let (context, solver) = self.raw();
        let assumed: Vec<Z3_ast> = assumed.iter().map(Ast::get_z3_ast).collect();
        let number = u32::try_from(assumed.len()).expect("few assumptions");
        let answer =
            unsafe { Z3_solver_check_assumptions(context, solver, number, assumed.as_ptr()) };
        match answer {
            Z3_L_TRUE => SatResult::Sat,
            Z3_L_FALSE => SatResult::Unsat,
            _ => SatResult::Unknown,
        }
    }

    pub fn why_unknown(&self) -> String {
        let (context, solver) = self.raw();
        unsafe {
            let why = Z3_solver_get_reason_unknown(context, solver);
            if why.is_null() {
                return String::new();
            }
            CStr::from_ptr(why).to_string_lossy().into_owned()
        }
    }

    /// The constants that the model names, with their values.
    pub fn values(&self) -> Option<Vec<(String, Dynamic)>> {
        let (context, solver) = self.raw();
        unsafe {
            let model = Z3_solver_get_model(context, solver)?;
            Z3_model_inc_ref(context, model);
            let value = |at| {
                let declared = Z3_model_get_const_decl(context, model, at)?;
                let constant = Z3_mk_app(context, declared, 0, std::ptr::null())?;
                let constant = Dynamic::wrap(&self.context, constant);
                let mut value = constant.get_z3_ast();
                let known = Z3_model_eval(context, model, value, true, &mut value);
                let value = Dynamic::wrap(&self.context, value);
                known.then(|| (constant.decl().name(), value))
            };
            let values = (0..Z3_model_get_num_consts(context, model)).map(value).collect();
            Z3_model_dec_ref(context, model);
            values
        }
    }
}

impl Drop for Simple {
    fn drop(&mut self) {
        let (context, solver) = self.raw();
        unsafe { Z3_solver_dec_ref(context, solver) }
    }
}
