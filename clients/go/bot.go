// A bot in Go from the protos alone: gRPC with nothing but the standard library.
//
//	go run . [RULES BOTS]    plays a game of Agora against two of the platform's bots
//
// The numbers are those of the fields in protos/boardgamesbot/v1.
package main

import (
	crypto "crypto/rand"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"strings"
	"time"
)

const (
	playing  = 2 // TableStatus
	finished = 3
)

func main() {
	log.SetFlags(0)
	rules, bots := dial("127.0.0.1:7410"), dial("127.0.0.1:7411")
	if len(os.Args) == 3 {
		rules, bots = dial(os.Args[1]), dial(os.Args[2])
	}
	must := func(found fields, err error) fields {
		if err != nil {
			log.Fatal(err)
		}
		return found
	}

	guest := must(rules.call("PlayerService/CreateGuest", message{}.str(1, "Go")))
	rules.token, bots.token = guest.str(2), guest.str(2)
	create := message{}.str(1, "agora").num(2, 3).str(5, crypto.Text())
	table := must(rules.call("TableService/CreateTable", create)).sub(1).str(1)
	seat := must(rules.call("TableService/TakeSeat", message{}.str(1, table))).num(2)
	for range 2 {
		must(bots.call("BotService/SeatBot", message{}.str(1, table).str(3, "greedy").str(4, crypto.Text())))
	}
	must(rules.call("TableService/StartTable", message{}.str(1, table)))

	if err := watch(rules, table, seat); err != nil {
		log.Fatal(err)
	}
}

// watch plays whenever it is the seat's turn, from version to version, until the table's stream ends.
func watch(rules *server, table string, seat uint64) error {
	seen := uint64(0)
	for try := 0; try < tries; try++ {
		err := rules.stream("TableService/Watch", message{}.str(1, table).num(2, seen), func(change fields) error {
			seen, try = change.num(1), 0
			now := change.sub(6) // with the newest version there is
			summary := now.sub(11)
			switch {
			case now.num(3) == finished:
				fmt.Println("Points:", strings.Trim(fmt.Sprint(summary.list(2)), "[]"))
			case now.num(3) == playing && summary.has(1) && summary.num(1) == seat:
				return play(rules, table, seat)
			}
			return nil
		})
		if refused, ok := err.(status); !ok || refused.code != unavailable {
			return err
		}
		time.Sleep(500 * time.Millisecond) // the server restarts: go on from the last version seen
	}
	return status{unavailable, "nobody answers at " + rules.address}
}

// play plays one move, unless the decision is somebody else's by now.
func play(rules *server, table string, seat uint64) error {
	legal, err := rules.call("TableService/ListLegalMoves", message{}.str(1, table))
	moves := legal.texts[2]
	if err != nil || len(moves) == 0 {
		return err
	}
	chosen, err := read(moves[rand.IntN(len(moves))])
	if err != nil {
		return err
	}
	submit := message{}.str(1, table).num(2, seat).num(3, legal.num(1)).str(4, crypto.Text()).str(5, chosen.str(1))
	_, err = rules.call("TableService/SubmitMove", submit)
	if refused, ok := err.(status); ok && refused.code == aborted {
		return nil // the table has moved on: Watch tells
	}
	if err == nil {
		fmt.Println(chosen.str(2))
	}
	return err
}
