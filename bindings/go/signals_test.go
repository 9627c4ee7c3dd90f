package rac

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"
)

func TestValuesGoThroughOperators(t *testing.T) {
	subject := NewSubject()
	var heard []int64
	tens, err := subject.AsSignal().Map(func(value Value) (Value, error) { return Of(value.Int() * 10), nil })
	if err != nil {
		t.Fatal(err)
	}
	two, _ := tens.Take(2)
	two.SubscribeNext(func(value Value) { heard = append(heard, value.Int()) })
	for number := 1; number <= 3; number++ {
		if err := subject.Send(number); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(heard) != "[10 20]" {
		t.Fatal(heard)
	}
}

func TestAnErrorEndsTheStreamWithItsMessage(t *testing.T) {
	one, _ := SignalReturn(1)
	failing, _ := one.Map(func(Value) (Value, error) { return Value{}, errors.New("no such thing") })
	caught, _ := failing.Catch(func(failure Value) (*Signal, error) { return SignalReturn(failure) })
	answer, err := caught.First(1)
	if err != nil || !strings.Contains(answer.String(), "no such thing") {
		t.Fatal(answer, err)
	}
}

func TestAPanicIsAnError(t *testing.T) {
	one, _ := SignalReturn(1)
	failing, _ := one.Map(func(Value) (Value, error) { panic("on purpose") })
	if _, err := failing.First(1); err == nil {
		t.Fatal("no error")
	}
}

func TestSignalsOfSignalsAndTime(t *testing.T) {
	three, _ := SignalReturn(3)
	four, _ := three.FlattenMap(func(value Value) (*Signal, error) { return SignalReturn(value.Int() + 1) })
	later, _ := four.Delay(0.01, nil)
	if answer, err := later.First(5); err != nil || answer.Int() != 4 {
		t.Fatal(answer, err)
	}
}

func TestRefusedArgumentsSayWhy(t *testing.T) {
	one, _ := SignalReturn(1)
	var failure *Failure
	if _, err := one.Take(1); err != nil {
		t.Fatal(err)
	}
	one.Release()
	if _, err := one.Take(1); !errors.As(err, &failure) || failure.Message == "" {
		t.Fatal(err)
	}
}

func TestCollectedHandlesAreReleased(t *testing.T) {
	before := LiveObjects()
	for round := 0; round < 1000; round++ {
		one, _ := SignalReturn(round)
		one.Map(func(value Value) (Value, error) { return value, nil })
	}
	for try := 0; try < 100 && LiveObjects() > before+50; try++ {
		runtime.GC()
		time.Sleep(10 * time.Millisecond)
	}
	if after := LiveObjects(); after > before+50 {
		t.Fatalf("%d objects before, %d after", before, after)
	}
}
