#!/bin/sh
# Plays a game of Agora against two of the platform's bots with curl, sed and awk: sh play.sh [http://localhost:8080]
set -eu

HOST=${1:-http://localhost:8080}
TOKEN=

die() {
    echo "play.sh: $*" >&2
    exit 1
}

for program in curl sed awk od; do
    command -v "$program" >/dev/null || die "needs $program: install it, or put it on PATH"
done

request() { # METHOD JSON [OPTION OF CURL...]
    path=$HOST/boardgamesbot.v1.$1 json=$2
    shift 2
    curl -sS -H 'content-type: application/json' -H "authorization: Bearer $TOKEN" "$@" "$path" -d "$json"
}

# Sent again while nobody answers: what changes something has a requestId, or does nothing the second time. A refusal
# (22 for curl) is final, but for those that curl itself asks again about.
call() { # METHOD JSON
    tries=20
    while [ $tries -gt 0 ]; do
        answer=$(request "$@" --fail --retry 5) && {
            printf '%s\n' "$answer"
            return
        }
        code=$?
        [ $code -ne 22 ] || return $code
        tries=$((tries - 1))
        sleep 1
    done
    return 1
}

status() { call TableService/GetTable "{\"tableId\": \"$TABLE\"}" | sed 's/.*"status":"\([A-Z_]*\)".*/\1/'; }

play() { # one move, any legal one; nothing where the decision is somebody else's
    legal=$(call TableService/ListLegalMoves "{\"tableId\": \"$TABLE\"}")
    chosen=$(printf '%s\n' "$legal" | sed 's/{"move":/\
{"move":/g' | awk -v seed="$(od -An -N3 -tu4 /dev/urandom)" '
        BEGIN { srand(seed) }
        /^{"move":/ && rand() * ++seen < 1 { chosen = $0 }
        END { print chosen }')
    [ -n "$chosen" ] || return 0
    version=$(printf '%s\n' "$legal" | sed 's/^{"version":"\([0-9]*\)".*/\1/')
    move=$(printf '%s\n' "$chosen" | sed 's/^{"move":\(.*\),"text":".*/\1/')
    # A refusal means that the table has moved on: the next line of Watch leads here again.
    if call TableService/SubmitMove "{\"tableId\": \"$TABLE\", \"seat\": $SEAT, \"version\": $version,
        \"requestId\": \"$TABLE $version\", \"move\": $move}" >/dev/null; then
        printf '%s\n' "$chosen" | sed 's/.*,"text":"\(.*\)"}.*/\1/'
    fi
}

TOKEN=$(call PlayerService/CreateGuest '{"name": "Shell"}' | sed 's/.*"token":"\([^"]*\)".*/\1/')
[ -n "$TOKEN" ] || die "no platform answers at $HOST"
TABLE=$(call TableService/CreateTable '{"gameId": "agora", "players": 3, "requestId": "the table"}' |
    sed 's/^{"table":{"id":"\([^"]*\)".*/\1/')
SEAT=0
call TableService/TakeSeat "{\"tableId\": \"$TABLE\", \"seat\": $SEAT}" >/dev/null
for bot in first second; do
    call BotService/SeatBot "{\"tableId\": \"$TABLE\", \"bot\": \"greedy\", \"requestId\": \"$bot\"}" >/dev/null
done
call TableService/StartTable "{\"tableId\": \"$TABLE\"}" >/dev/null

# A stream that broke is asked for from its start: every line only leads to a look at the legal moves of this moment.
while :; do
    request TableService/Watch "{\"tableId\": \"$TABLE\"}" -N | while read -r line; do
        case $line in *'"table":'*) play ;; esac
    done
    case $(status) in
    TABLE_STATUS_FINISHED) break ;;
    '') die "the platform at $HOST is gone; the table waits: $TABLE" ;;
    esac
    sleep 1
done
call TableService/GetTable "{\"tableId\": \"$TABLE\"}" | sed 's/.*"points":\[\([0-9,]*\)\].*/Points: \1/; s/,/ /g'
