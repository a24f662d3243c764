#!/usr/bin/env bash
# Makes the secrets of a deployment with compose, at random, in the folder named (deploy/secrets): the password of Redis,
# and the key that signs tokens. Files that are there are left as they are: a new key would end every player's session.
set -euo pipefail
folder=${1:-"$(dirname "$0")/secrets"}
umask 077
mkdir -p "$folder"
random() { od -An -N32 -tx1 /dev/urandom | tr -d ' \n'; }
if [ ! -e "$folder/redis.conf" ]; then
    password=$(random)
    cat >"$folder/redis.conf" <<CONF
requirepass $password
dir /data
appendonly yes
appendfsync always
save ""
maxmemory 768mb
maxmemory-policy noeviction
CONF
    printf 'redis://:%s@redis:6379/0\n' "$password" >"$folder/redis_url"
fi
[ -e "$folder/token_key" ] || random >"$folder/token_key"
# Containers read them as users of their own; nobody else gets into the folder.
chmod 0444 "$folder"/*
chmod 0700 "$folder"
echo "the secrets are in $folder; keep a copy: without token_key, players have to sign in again"
