//! librac for Rust: signals, subjects, properties, schedulers, operators with closures.
//!
//! ```no_run
//! let words = rac::Subject::new()?;
//! let lengths = words.map(|word| Ok((word.as_str().map_or(0, str::len) as i64).into()))?;
//! let subscription = lengths.subscribe_next(|length| println!("{length}"))?;
//! words.send("seven")?;
//! subscription.dispose()?;
//! # Ok::<(), rac::Error>(())
//! ```
//!
//! A handle counts: a clone retains, a drop releases. Dropping a subscription does not end it. Closures
//! run on any thread of librac's, so they are `Send + Sync`; one that panics fails its stream, or, where
//! nobody asks for a status, ends the process, as a panic in a C callback has to.

use std::ffi::{c_char, c_void, CStr};
use std::fmt;
use std::mem::ManuallyDrop;

mod call;
include!("generated.rs");

/// `rac_value` of C.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct RacValue {
    pub kind: u8,
    pub flags: u8,
    pub reserved: u16,
    pub length: u32,
    pub bits: i64,
}

impl RacValue {
    pub const NIL: RacValue = RacValue { kind: 0, flags: 0, reserved: 0, length: 0, bits: 0 };
}

/// A value: a number, a text, a tuple, an error and so on. It owns a reference.
#[repr(transparent)]
pub struct Value(RacValue);

// References are counted with atomic operations, and values do not change.
unsafe impl Send for Value {}
unsafe impl Sync for Value {}

impl Value {
    fn retained(lent: RacValue) -> Value {
        Value(unsafe { raw::rac_value_retain(lent) })
    }
    /// One of the constants RAC_NIL to RAC_SEQUENCE.
    pub fn kind(&self) -> i32 {
        self.0.kind as i32
    }
    pub fn is_nil(&self) -> bool {
        self.kind() == RAC_NIL
    }
    /// The number, of bools, integers and doubles without a fraction.
    pub fn as_i64(&self) -> Option<i64> {
        let mut number = 0;
        (unsafe { raw::rac_value_to_int64(self.0, &mut number) } == 0).then_some(number)
    }
    pub fn as_f64(&self) -> Option<f64> {
        let mut number = 0.0;
        (unsafe { raw::rac_value_to_double(self.0, &mut number) } == 0).then_some(number)
    }
    /// The text, of strings; as long as the value lives.
    pub fn as_str(&self) -> Option<&str> {
        let (mut start, mut length) = (std::ptr::null(), 0usize);
        if self.kind() != RAC_STRING
            || unsafe { raw::rac_value_get_text(self.0, &mut start, &mut length) } != RAC_OK
        {
            return None;
        }
        let bytes = unsafe { std::slice::from_raw_parts(start as *const u8, length) };
        std::str::from_utf8(bytes).ok()
    }
}

impl Clone for Value {
    fn clone(&self) -> Value {
        Value::retained(self.0)
    }
}
impl Drop for Value {
    fn drop(&mut self) {
        unsafe { raw::rac_value_release(self.0) }
    }
}
impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        unsafe { raw::rac_value_equal(self.0, other.0) }
    }
}
impl fmt::Display for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        let mut bytes = vec![0u8; 256];
        let mut written = unsafe { raw::rac_value_describe(self.0, bytes.as_mut_ptr() as *mut c_char, bytes.len()) };
        if written >= bytes.len() {
            bytes.resize(written + 1, 0);
            written = unsafe { raw::rac_value_describe(self.0, bytes.as_mut_ptr() as *mut c_char, bytes.len()) };
        }
        formatter.write_str(&String::from_utf8_lossy(&bytes[..written.min(bytes.len())]))
    }
}
impl fmt::Debug for Value {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
impl From<()> for Value {
    fn from(_: ()) -> Value {
        Value(RacValue::NIL)
    }
}
impl From<i64> for Value {
    fn from(number: i64) -> Value {
        Value(unsafe { raw::rac_value_int64(number) })
    }
}
impl From<i32> for Value {
    fn from(number: i32) -> Value {
        i64::from(number).into()
    }
}
impl From<f64> for Value {
    fn from(number: f64) -> Value {
        Value(unsafe { raw::rac_value_double(number) })
    }
}
impl From<bool> for Value {
    fn from(flag: bool) -> Value {
        Value(unsafe { raw::rac_value_bool(flag) })
    }
}
impl From<&str> for Value {
    /// A copy of the text.
    fn from(text: &str) -> Value {
        Value(unsafe { raw::rac_value_string_copy(text.as_ptr() as *const c_char, text.len()) })
    }
}
impl From<String> for Value {
    fn from(text: String) -> Value {
        text.as_str().into()
    }
}
impl From<&Value> for Value {
    fn from(value: &Value) -> Value {
        value.clone()
    }
}

/// A failure: a negative status, and a sentence.
#[derive(Debug, Clone, PartialEq)]
pub struct Error {
    pub status: i32,
    pub message: String,
}
/// 0, or a positive remark such as RAC_QUEUED.
pub type Status = i32;
pub type Result<T> = std::result::Result<T, Error>;

impl Error {
    /// An error of the program's own: it ends the stream with the message.
    pub fn new(message: impl Into<String>) -> Error {
        Error { status: RAC_EUSER, message: message.into() }
    }
    fn last(status: i32) -> Error {
        Error { status, message: text(unsafe { raw::rac_last_error_message() }) }
    }
    fn lengths() -> Error {
        Error { status: RAC_EINVAL, message: "two lists are not of one length".into() }
    }
    fn text() -> Error {
        Error { status: RAC_EUTF8, message: "a text has a NUL in it".into() }
    }
}
impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        write!(formatter, "{} ({})", self.message, self.status)
    }
}
impl std::error::Error for Error {}

fn status(answer: i32) -> Result<Status> {
    if answer < 0 { Err(Error::last(answer)) } else { Ok(answer) }
}

fn text(answer: *const c_char) -> String {
    if answer.is_null() {
        return String::new();
    }
    unsafe { CStr::from_ptr(answer) }.to_string_lossy().into_owned()
}

/// What a class of handles is; with a second name, the class that its handles also are.
macro_rules! handle {
    ($name:ident) => {
        #[repr(transparent)]
        pub struct $name(std::ptr::NonNull<c_void>);
        // Handles are numbers, and every function takes them on any thread.
        unsafe impl Send for $name {}
        unsafe impl Sync for $name {}
        #[allow(dead_code)]
        impl $name {
            /// The handle for C; lent.
            pub fn as_raw(&self) -> *mut c_void {
                self.0.as_ptr()
            }
            fn adopt(answer: *mut c_void) -> Result<$name> {
                std::ptr::NonNull::new(answer).map($name).ok_or_else(|| Error::last(unsafe { raw::rac_last_error_code() }))
            }
            fn borrow(answer: *mut c_void) -> Result<$name> {
                let lent = ManuallyDrop::new($name::adopt(answer)?);
                Ok((*lent).clone())
            }
        }
        impl Clone for $name {
            fn clone(&self) -> $name {
                unsafe { raw::rac_retain(self.as_raw()) };
                $name(self.0)
            }
        }
        impl Drop for $name {
            fn drop(&mut self) {
                unsafe { raw::rac_release(self.as_raw()) };
            }
        }
    };
    ($name:ident, $base:ident) => {
        handle!($name);
        impl std::ops::Deref for $name {
            type Target = $base;
            fn deref(&self) -> &$base {
                // Both are a handle and nothing else.
                unsafe { &*(self as *const $name as *const $base) }
            }
        }
    };
}
use handle;

impl Subject {
    pub fn new() -> Result<Subject> {
        subject_create()
    }
}
