#!/bin/bash
# two_hosts.sh FOLDER COMMAND…: runs COMMAND on a machine with two others in its network, host-a and host-b, which it reaches by
# `ssh -F FOLDER/ssh_config`. All three are namespaces of this machine, which are gone when COMMAND has ended.
#
# Each host has a copy of FOLDER/checkout as /srv/checkout; FOLDER/shares is /srv/shares of them all, as on a network file
# system. Needs root (or its capabilities), ip, dropbear, dropbearkey and ssh. FOLDER must be removed by the caller.
set -euo pipefail
if [[ $1 != --inside ]]; then exec unshare --mount --net --pid --fork --kill-child --mount-proc "$0" --inside "$@"; fi
folder=$(realpath "$2")
shift 2

mount -t tmpfs none /run
mount -t tmpfs none /srv
mkdir /srv/checkout /srv/shares
mkdir -p "$folder/shares"
mount --bind "$folder/shares" /srv/shares

ip link set lo up
ip link add hub type bridge
ip address add 10.77.0.1/24 dev hub
ip link set hub up
ssh-keygen -q -t ed25519 -N '' -f "$folder/key"
number=1
for host in host-a host-b; do
  number=$((number + 1))
  own=$folder/$host
  mkdir -p "$own/home/.ssh"
  chmod 700 "$own/home" "$own/home/.ssh"
  cp "$folder/key.pub" "$own/home/.ssh/authorized_keys"
  echo "root:x:0:0:root:$own/home:/bin/sh" >"$own/passwd"
  cp -a "$folder/checkout" "$own/checkout"
  dropbearkey -t ed25519 -f "$own/host_key" >/dev/null
  ip netns add "$host"
  ip link add "$host" type veth peer name eth0 netns "$host"
  ip link set "$host" master hub up
  ip -n "$host" link set lo up
  ip -n "$host" address add "10.77.0.$number/24" dev eth0
  ip -n "$host" link set eth0 up
  printf 'Host %s\n  HostName 10.77.0.%s\n' "$host" "$number" >>"$folder/ssh_config"
  # shellcheck disable=SC2016 # it is the inner shell that fills these in
  ip netns exec "$host" unshare --uts --mount bash -c '
    hostname "$2"
    mount --bind "$1/passwd" /etc/passwd
    mount --bind "$1/checkout" /srv/checkout
    exec dropbear -F -E -s -r "$1/host_key" -P "$1/pid" -p 22' bash "$own" "$host" 2>"$own/log" &
done
cat >>"$folder/ssh_config" <<END
Host *
  User root
  IdentityFile $folder/key
  IdentitiesOnly yes
  StrictHostKeyChecking no
  UserKnownHostsFile /dev/null
  LogLevel ERROR
  ConnectTimeout 5
END
for host in host-a host-b; do
  for _ in {1..50}; do
    if ssh -F "$folder/ssh_config" "$host" true 2>/dev/null; then continue 2; fi
    sleep 0.1
  done
  echo "two_hosts.sh: $host does not answer: $(cat "$folder/$host/log")" >&2
  exit 1
done
"$@"
