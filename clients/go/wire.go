package main

import (
	"encoding/binary"
	"errors"
)

// Protobuf, as much of it as the bot needs: a message is a list of fields, each a number and a varint or bytes.

const (
	varint = 0
	length = 2
)

// message is one being written.
type message []byte

func (m message) str(field int, value string) message { return m.bytes(field, []byte(value)) }

func (m message) bytes(field int, value []byte) message {
	m = binary.AppendUvarint(m, uint64(field<<3|length))
	return append(binary.AppendUvarint(m, uint64(len(value))), value...)
}

func (m message) num(field int, value uint64) message {
	return binary.AppendUvarint(binary.AppendUvarint(m, uint64(field<<3|varint)), value)
}

// fields is one that was read: the values of each field in order, numbers and bytes apart.
type fields struct {
	nums  map[int][]uint64
	texts map[int][][]byte
}

var errBroken = errors.New("this is no protobuf message")

// read takes a message apart one level deep: what lies in `bytes` may be read again as a message of its own.
func read(data []byte) (fields, error) {
	found := fields{map[int][]uint64{}, map[int][][]byte{}}
	for len(data) > 0 {
		key, n := binary.Uvarint(data)
		if n <= 0 {
			return found, errBroken
		}
		data = data[n:]
		field := int(key >> 3)
		switch key & 7 {
		case varint, length:
			value, n := binary.Uvarint(data)
			if n <= 0 {
				return found, errBroken
			}
			data = data[n:]
			if key&7 == varint {
				found.nums[field] = append(found.nums[field], value)
				continue
			}
			if value > uint64(len(data)) {
				return found, errBroken
			}
			found.texts[field] = append(found.texts[field], data[:value])
			data = data[value:]
		case 1, 5: // of a fixed size: nothing here wants them
			size := map[uint64]int{1: 8, 5: 4}[key&7]
			if size > len(data) {
				return found, errBroken
			}
			data = data[size:]
		default:
			return found, errBroken
		}
	}
	return found, nil
}

// num is the value of a field: 0 where it was left out, as the contract has it.
func (f fields) num(field int) uint64 {
	if values := f.nums[field]; len(values) > 0 {
		return values[len(values)-1]
	}
	return 0
}

func (f fields) has(field int) bool { return len(f.nums[field])+len(f.texts[field]) > 0 }

func (f fields) str(field int) string {
	if values := f.texts[field]; len(values) > 0 {
		return string(values[len(values)-1])
	}
	return ""
}

// sub is a message within: empty where it was left out or is none.
func (f fields) sub(field int) fields {
	found, _ := read([]byte(f.str(field)))
	return found
}

// list is a repeated number, packed as proto3 has it.
func (f fields) list(field int) []int32 {
	values := []int32{}
	for _, packed := range f.texts[field] {
		for len(packed) > 0 {
			value, n := binary.Uvarint(packed)
			if n <= 0 {
				break
			}
			values, packed = append(values, int32(value)), packed[n:]
		}
	}
	return values
}
