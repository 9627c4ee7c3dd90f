//! For each kind of closure the function that C calls.

use super::*;
use std::panic::{catch_unwind, AssertUnwindSafe};

/// The closure as context and destroy.
pub(crate) fn boxed<F>(closure: F) -> (*mut c_void, *const c_void) {
    unsafe extern "C" fn destroy<F>(context: *mut c_void) {
        drop(Box::from_raw(context as *mut F));
    }
    (Box::into_raw(Box::new(closure)) as *mut c_void, destroy::<F> as unsafe extern "C" fn(*mut c_void) as *const c_void)
}

fn lent<'a>(value: &'a RacValue) -> &'a Value {
    // Transparent, and not dropped: it is lent for the call.
    unsafe { &*(value as *const RacValue as *const Value) }
}

/// The status of a closure: an error of it becomes that of the stream.
fn answer(result: std::thread::Result<Result<()>>) -> i32 {
    let error = match result {
        Ok(Ok(())) => return RAC_OK,
        Ok(Err(error)) => error,
        Err(_) => Error::new("a closure panicked"),
    };
    let domain = c"rust".as_ptr();
    let message = std::ffi::CString::new(error.message).unwrap_or_default();
    let value = Value(unsafe { raw::rac_value_error(domain, error.status as i64, message.as_ptr()) });
    unsafe { raw::rac_raise(value.0) }
}

fn to_the_end(closure: impl FnOnce()) {
    if catch_unwind(AssertUnwindSafe(closure)).is_err() {
        std::process::abort();
    }
}

fn give_value(out: *mut RacValue, value: Value) {
    unsafe { *out = ManuallyDrop::new(value).0 }
}

macro_rules! caller {
    ($name:ident, ($($kind:ty),*) $(-> $result:ty)?, ($($c:ident: $ctype:ty),*) $(-> $cresult:ty)?, |$closure:ident| $body:expr) => {
        pub(crate) fn $name<F: Fn($($kind),*) $(-> $result)? + Send + Sync + 'static>(_: &F) -> *const c_void {
            unsafe extern "C" fn call<F: Fn($($kind),*) $(-> $result)?>(context: *mut c_void, $($c: $ctype),*) $(-> $cresult)? {
                let $closure = &*(context as *const F);
                $body
            }
            let call: unsafe extern "C" fn(*mut c_void, $($ctype),*) $(-> $cresult)? = call::<F>;
            call as *const c_void
        }
    };
}
macro_rules! tried {
    ($body:expr) => {
        answer(catch_unwind(AssertUnwindSafe(|| -> Result<()> { $body; Ok(()) })))
    };
}

caller!(next, (&Value), (value: RacValue), |f| to_the_end(|| f(lent(&value))));
caller!(error, (&Value), (value: RacValue), |f| to_the_end(|| f(lent(&value))));
caller!(completed, (), (), |f| to_the_end(f));
caller!(action, (), (), |f| to_the_end(f));
caller!(map, (&Value) -> Result<Value>, (value: RacValue, out: *mut RacValue) -> i32,
    |f| tried!(give_value(out, f(lent(&value))?)));
caller!(predicate, (&Value) -> Result<bool>, (value: RacValue, out: *mut bool) -> i32,
    |f| tried!(*out = f(lent(&value))?));
caller!(compare, (&Value, &Value) -> std::cmp::Ordering, (left: RacValue, right: RacValue, out: *mut i32) -> i32,
    |f| tried!(*out = f(lent(&left), lent(&right)) as i32));
caller!(reduce, (&Value, &Value) -> Result<Value>, (running: RacValue, value: RacValue, out: *mut RacValue) -> i32,
    |f| tried!(give_value(out, f(lent(&running), lent(&value))?)));
caller!(reduce_index, (&Value, &Value, usize) -> Result<Value>,
    (running: RacValue, value: RacValue, index: usize, out: *mut RacValue) -> i32,
    |f| tried!(give_value(out, f(lent(&running), lent(&value), index)?)));
caller!(reduce_each, (&[Value]) -> Result<Value>, (values: *const RacValue, count: usize, out: *mut RacValue) -> i32,
    |f| {
        let values: &[Value] = if count == 0 { &[] } else { std::slice::from_raw_parts(values as *const Value, count) };
        tried!(give_value(out, f(values)?))
    });
caller!(factory, () -> Result<Value>, (out: *mut RacValue) -> i32, |f| tried!(give_value(out, f()?)));
caller!(try_, (&Value) -> Result<()>, (value: RacValue) -> i32, |f| tried!(f(lent(&value))?));
caller!(signal, (&Value) -> Result<Signal>, (value: RacValue, out: *mut *mut c_void) -> i32,
    |f| tried!(*out = ManuallyDrop::new(f(lent(&value))?).as_raw()));
caller!(signal_index, (&Value, usize) -> Result<Signal>, (value: RacValue, index: usize, out: *mut *mut c_void) -> i32,
    |f| tried!(*out = ManuallyDrop::new(f(lent(&value), index)?).as_raw()));
caller!(defer, () -> Result<Signal>, (out: *mut *mut c_void) -> i32,
    |f| tried!(*out = ManuallyDrop::new(f()?).as_raw()));
caller!(execute, (&Value) -> Result<Signal>, (value: RacValue, out: *mut *mut c_void) -> i32,
    |f| tried!(*out = ManuallyDrop::new(f(lent(&value))?).as_raw()));
caller!(sequence, (&Value) -> Result<Sequence>, (value: RacValue, out: *mut *mut c_void) -> i32,
    |f| tried!(*out = ManuallyDrop::new(f(lent(&value))?).as_raw()));

caller!(subscribe, (&Subscriber) -> Result<Option<Disposable>>, (subscriber: *mut c_void, out: *mut *mut c_void) -> i32,
    |f| tried!({
        let lent = ManuallyDrop::new(Subscriber::adopt(subscriber)?);
        if let Some(disposable) = f(&lent)? {
            *out = ManuallyDrop::new(disposable).as_raw();
        }
    }));
caller!(start, (&Subscriber) -> Result<()>, (subscriber: *mut c_void) -> i32,
    |f| tried!({
        let lent = ManuallyDrop::new(Subscriber::adopt(subscriber)?);
        f(&lent)?
    }));
