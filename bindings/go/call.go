package rac

// #include "bridge.h"
import "C"
import (
	"fmt"
	"runtime/cgo"
	"unsafe"
)

// keep puts a function where C can name it; goDrop takes it out again. C has a pointer to the number, in
// memory of C's, since Go's checks take no number for a pointer.
func keep(function any) unsafe.Pointer {
	context := C.malloc(C.size_t(unsafe.Sizeof(cgo.Handle(0))))
	*(*cgo.Handle)(context) = cgo.NewHandle(function)
	return context
}

func kept[F any](context unsafe.Pointer) F {
	return (*(*cgo.Handle)(context)).Value().(F)
}

//export go_drop
func go_drop(context unsafe.Pointer) {
	(*(*cgo.Handle)(context)).Delete()
	C.free(context)
}

// try runs what may fail or panic: the error ends the stream.
func try(action func() error) (status C.rac_status) {
	defer func() {
		if reason := recover(); reason != nil {
			status = raise(fmt.Errorf("panic: %v", reason))
		}
	}()
	if err := action(); err != nil {
		return raise(err)
	}
	return C.RAC_OK
}

func raise(err error) C.rac_status {
	domain, message := C.CString("go"), C.CString(err.Error())
	defer C.free(unsafe.Pointer(domain))
	defer C.free(unsafe.Pointer(message))
	value := C.rac_value_error(domain, 0, message)
	defer C.rac_value_release(value)
	return C.rac_raise(value)
}

// give hands a value over to C, with a reference of its own.
func give(out *C.rac_value, value Value, err error) error {
	if err == nil {
		*out = C.rac_value_retain(value.raw)
	}
	return err
}

func giveSignal(out **C.rac_signal, signal *Signal, err error) error {
	if err == nil && signal != nil {
		*out = (*C.rac_signal)(retained(unsafe.Pointer(signal.raw)))
	}
	return err
}

//export go_next
func go_next(context unsafe.Pointer, value C.rac_value) { kept[func(Value)](context)(Value{value}) }

//export go_error
func go_error(context unsafe.Pointer, value C.rac_value) { kept[func(Value)](context)(Value{value}) }

//export go_completed
func go_completed(context unsafe.Pointer) { kept[func()](context)() }

//export go_action
func go_action(context unsafe.Pointer) { kept[func()](context)() }

//export go_map
func go_map(context unsafe.Pointer, value C.rac_value, out *C.rac_value) C.rac_status {
	return try(func() error {
		result, err := kept[func(Value) (Value, error)](context)(Value{value})
		return give(out, result, err)
	})
}

//export go_predicate
func go_predicate(context unsafe.Pointer, value C.rac_value, out *C.bool) C.rac_status {
	return try(func() error {
		result, err := kept[func(Value) (bool, error)](context)(Value{value})
		*out = C.bool(result)
		return err
	})
}

//export go_reduce
func go_reduce(context unsafe.Pointer, running, value C.rac_value, out *C.rac_value) C.rac_status {
	return try(func() error {
		result, err := kept[func(Value, Value) (Value, error)](context)(Value{running}, Value{value})
		return give(out, result, err)
	})
}

//export go_reduce_each
func go_reduce_each(context unsafe.Pointer, values *C.rac_value, count C.size_t, out *C.rac_value) C.rac_status {
	return try(func() error {
		given := make([]Value, count)
		for number, raw := range unsafe.Slice(values, int(count)) {
			given[number] = Value{raw}
		}
		result, err := kept[func([]Value) (Value, error)](context)(given)
		return give(out, result, err)
	})
}

//export go_factory
func go_factory(context unsafe.Pointer, out *C.rac_value) C.rac_status {
	return try(func() error {
		result, err := kept[func() (Value, error)](context)()
		return give(out, result, err)
	})
}

//export go_try
func go_try(context unsafe.Pointer, value C.rac_value) C.rac_status {
	return try(func() error { return kept[func(Value) error](context)(Value{value}) })
}

//export go_signal
func go_signal(context unsafe.Pointer, value C.rac_value, out **C.rac_signal) C.rac_status {
	return try(func() error {
		result, err := kept[func(Value) (*Signal, error)](context)(Value{value})
		return giveSignal(out, result, err)
	})
}

//export go_execute
func go_execute(context unsafe.Pointer, value C.rac_value, out **C.rac_signal) C.rac_status {
	return go_signal(context, value, out)
}

//export go_defer
func go_defer(context unsafe.Pointer, out **C.rac_signal) C.rac_status {
	return try(func() error {
		result, err := kept[func() (*Signal, error)](context)()
		return giveSignal(out, result, err)
	})
}

//export go_subscribe
func go_subscribe(context unsafe.Pointer, subscriber *C.rac_subscriber, out **C.rac_disposable) C.rac_status {
	return try(func() error {
		lent, _ := newSubscriber((*C.rac_subscriber)(retained(unsafe.Pointer(subscriber))))
		result, err := kept[func(*Subscriber) (*Disposable, error)](context)(lent)
		if err == nil && result != nil {
			*out = (*C.rac_disposable)(retained(unsafe.Pointer(result.raw)))
		}
		return err
	})
}
