// Ten lines: a subject, three operators, a subscription.
package main

import (
	"fmt"

	"example.org/librac/rac"
)

func main() {
	words := rac.NewSubject()
	lengths, _ := words.AsSignal().Map(func(word rac.Value) (rac.Value, error) { return rac.Of(len(word.String())), nil })
	long, _ := lengths.Filter(func(length rac.Value) (bool, error) { return length.Int() > 2, nil })
	sums, _ := long.Scan(0, func(sum, length rac.Value) (rac.Value, error) { return rac.Of(sum.Int() + length.Int()), nil })
	sums.SubscribeNext(func(sum rac.Value) { fmt.Println(sum.Int()) })
	for _, word := range []string{"to", "bee", "or", "nought"} {
		words.Send(word)
	}
}
