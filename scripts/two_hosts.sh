#!/bin/sh
# Emulate two hosts, 10.9.0.1 and 10.9.0.2: each with its own network and its own /dev/shm, a cable
# between them. Run as `unshare -Urnm two_hosts.sh FOLDER COMMAND...`; FOLDER/into HOST LINE runs a
# line on a host, as ssh would. FOLDER/traffic has what went over the cable in the end.
set -eu
folder=$1
shift
for host in 1 2; do
    unshare -nm sh -c 'mount -t tmpfs none /dev/shm && exec sleep 3600' &
    eval "pid$host=$!"
done
trap 'kill $pid1 $pid2' EXIT
# Until both have left this network.
for pid in $pid1 $pid2; do
    while [ "$(readlink /proc/$pid/ns/net)" = "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
done
ip link add cable1 type veth peer name cable2
for host in 1 2; do
    eval "pid=\$pid$host"
    ip link set cable$host netns $pid
    nsenter -t $pid -n ip addr add 10.9.0.$host/24 dev cable$host
    nsenter -t $pid -n ip link set cable$host up
    nsenter -t $pid -n ip link set lo up
done
cat > "$folder/into" <<END
#!/bin/sh
case "\$1" in 10.9.0.1) pid=$pid1 name=cable1 ;; 10.9.0.2) pid=$pid2 name=cable2 ;; esac
exec nsenter -t \$pid -n -m sh -c "export GLOO_SOCKET_IFNAME=\$name; \$2"
END
chmod +x "$folder/into"
"$@"
nsenter -t $pid1 -n grep cable1 /proc/net/dev > "$folder/traffic"
