package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// gRPC over HTTP/2 without TLS, as much of it as the bot needs: a request is one message, an answer one or many.

const (
	aborted     = 10
	unavailable = 14
	tries       = 60
)

type status struct {
	code int
	text string
}

func (s status) Error() string { return fmt.Sprintf("%s (gRPC status %d)", s.text, s.code) }

type server struct {
	address string
	token   string
	http    *http.Client
}

func dial(address string) *server {
	plain := new(http.Protocols)
	plain.SetUnencryptedHTTP2(true)
	return &server{address: address, http: &http.Client{Transport: &http.Transport{Protocols: plain}}}
}

// stream hands every message of the answer to `each`. A connection that fails has the status of gRPC for that.
func (s *server) stream(method string, request message, each func(fields) error) error {
	body := binary.BigEndian.AppendUint32([]byte{0}, uint32(len(request)))
	call, err := http.NewRequest("POST", "http://"+s.address+"/boardgamesbot.v1."+method, bytes.NewReader(append(body, request...)))
	if err != nil {
		return err
	}
	call.Header.Set("Content-Type", "application/grpc")
	call.Header.Set("TE", "trailers")
	if s.token != "" {
		call.Header.Set("Authorization", "Bearer "+s.token)
	}
	answer, err := s.http.Do(call)
	if err != nil {
		return status{unavailable, err.Error()}
	}
	defer answer.Body.Close()
	var head [5]byte
	for {
		if _, err := io.ReadFull(answer.Body, head[:]); err == io.EOF {
			break
		} else if err != nil {
			return status{unavailable, err.Error()}
		}
		data := make([]byte, binary.BigEndian.Uint32(head[1:]))
		if _, err := io.ReadFull(answer.Body, data); err != nil {
			return status{unavailable, err.Error()}
		}
		found, err := read(data)
		if err == nil {
			err = each(found)
		}
		if err != nil {
			return err
		}
	}
	ending := answer.Trailer
	if answer.Header.Get("Grpc-Status") != "" { // an answer without a message has its status at the front
		ending = answer.Header
	}
	code, err := strconv.Atoi(ending.Get("Grpc-Status"))
	if err != nil {
		return status{unavailable, "the answer was cut off: " + answer.Status}
	}
	if code != 0 {
		text, _ := url.PathUnescape(ending.Get("Grpc-Message"))
		return status{code, text}
	}
	return nil
}

// call gives the one message of the answer. While nobody answers, the same request is sent again: its request id, where
// it changes something, makes that safe.
func (s *server) call(method string, request message) (found fields, err error) {
	for try := 0; try < tries; try++ {
		err = s.stream(method, request, func(answer fields) error { found = answer; return nil })
		if refused, ok := err.(status); !ok || refused.code != unavailable {
			return found, err
		}
		time.Sleep(500 * time.Millisecond)
	}
	return found, err
}
