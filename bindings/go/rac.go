// Package rac is librac for Go: signals, subjects, properties, schedulers, operators with functions.
//
// Functions of the program run on any thread of the library's. A panic in one that may fail becomes the error
// of the stream. Values that a function gets are lent for the call; Retain keeps one.
package rac

// #cgo pkg-config: rac
// #include "bridge.h"
import "C"
import (
	"fmt"
	"unsafe"
)

// Value is a value of the library's: a number, a text, a tuple, an error and so on.
type Value struct{ raw C.rac_value }

// Failure is a negative status with its sentence.
type Failure struct {
	Status  int
	Message string
}

func (failure *Failure) Error() string {
	return fmt.Sprintf("%s (%d)", failure.Message, failure.Status)
}

func failure(status C.rac_status) error {
	if status >= 0 {
		return nil
	}
	return &Failure{int(status), C.GoString(C.rac_last_error_message())}
}

func lastFailure() error { return failure(C.rac_last_error_code()) }

func retained(handle unsafe.Pointer) unsafe.Pointer {
	C.rac_retain(handle)
	return handle
}

// Of makes a value of nil, a bool, a number, a string, a Value.
func Of(any any) Value {
	switch it := any.(type) {
	case nil:
		return Value{}
	case Value:
		return it.Retain()
	case bool:
		return Value{C.rac_value_bool(C.bool(it))}
	case int:
		return Value{C.rac_value_int64(C.int64_t(it))}
	case int64:
		return Value{C.rac_value_int64(C.int64_t(it))}
	case float64:
		return Value{C.rac_value_double(C.double(it))}
	case string:
		text := C.CString(it)
		defer C.free(unsafe.Pointer(text))
		return Value{C.rac_value_string_copy(text, C.size_t(len(it)))}
	}
	return Of(fmt.Sprint(any))
}

// Retain keeps a value that was lent; Release gives it back.
func (value Value) Retain() Value { return Value{C.rac_value_retain(value.raw)} }

// Release gives a reference back; numbers need none.
func (value Value) Release() { C.rac_value_release(value.raw) }

// Int is the number of bools, integers and doubles without a fraction; 0 of all else.
func (value Value) Int() int64 {
	var number C.int64_t
	C.rac_value_to_int64(value.raw, &number)
	return int64(number)
}

// Float is the number, or 0.
func (value Value) Float() float64 {
	var number C.double
	C.rac_value_to_double(value.raw, &number)
	return float64(number)
}

// String is the text of a string, and a description of all else.
func (value Value) String() string {
	var start *C.char
	var length C.size_t
	if value.raw.kind == C.RAC_STRING &&
		C.rac_value_get_text(value.raw, &start, &length) == C.RAC_OK {
		return C.GoStringN(start, C.int(length))
	}
	C.rac_clear_last_error()
	needed := C.rac_value_describe(value.raw, nil, 0)
	buffer := (*C.char)(C.malloc(needed + 1))
	defer C.free(unsafe.Pointer(buffer))
	C.rac_value_describe(value.raw, buffer, needed+1)
	return C.GoString(buffer)
}

// NewSubject makes a signal that is sent to by hand.
func NewSubject() *Subject {
	subject, err := SubjectCreate()
	if err != nil {
		panic(err)
	}
	return subject
}
