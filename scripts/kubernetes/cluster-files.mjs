// The configuration of a cluster with one node, for tests.
import {generateKeyPairSync} from 'node:crypto';
import {chmodSync, mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';

/** Documentation addresses, which nothing else on the machine uses. */
const podAddresses = '198.51.100.128/25';
const serviceAddresses = '203.0.113.0/24';

/** Users of the cluster, by token: an administrator, and a host with the rights that the manifests give it. */
export const tokens = {admin: 'lumenflow-test-admin', host: 'lumenflow-test-host'};

export function writeClusterFiles(folder, ports) {
  const at = (name) => join(folder, name);
  for (const name of ['cni', 'certificates', 'plugins', 'kubelet']) mkdirSync(at(name), {recursive: true});
  const write = (name, content) =>
    writeFileSync(at(name), typeof content === 'string' ? content : JSON.stringify(content));
  const {privateKey} = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: {type: 'spki', format: 'pem'},
    privateKeyEncoding: {type: 'pkcs8', format: 'pem'},
  });
  write('accounts.key', privateKey);
  write(
    'tokens.csv',
    `${tokens.admin},admin,1,system:masters\n` +
      `${tokens.host},system:serviceaccount:lumenflow:lumenflow-host,2,"system:serviceaccounts,system:serviceaccounts:lumenflow"\n`,
  );
  write('admin.json', kubeconfig(at, ports, tokens.admin));
  write('host.json', kubeconfig(at, ports, tokens.host));
  write('containerd.toml', containerdToml(at));
  write('kubelet.json', kubeletConfig(ports));
  // A network whose default-deny policy is really enforced: a pod has an address, and nothing to send with.
  write('plugins/isolate', isolate);
  chmodSync(at('plugins/isolate'), 0o755);
  write('closed.conflist', network(at, [{type: 'isolate'}]));
  write('open.conflist', network(at, []));
  write('cni/10-test.conflist', network(at, [{type: 'isolate'}]));
}

export function apiServerArgs(at, {etcd, api}) {
  return [
    `--etcd-servers=http://127.0.0.1:${etcd}`,
    `--secure-port=${api}`,
    '--bind-address=127.0.0.1',
    `--cert-dir=${at('certificates')}`,
    `--token-auth-file=${at('tokens.csv')}`,
    '--authorization-mode=RBAC',
    `--service-cluster-ip-range=${serviceAddresses}`,
    '--service-account-issuer=https://cluster.example',
    `--service-account-key-file=${at('accounts.key')}`,
    `--service-account-signing-key-file=${at('accounts.key')}`,
    '--endpoint-reconciler-type=none',
    '--kubelet-preferred-address-types=Hostname',
    '--allow-privileged=true',
  ];
}

export function controllerArgs(at) {
  return [
    `--kubeconfig=${at('admin.json')}`,
    '--controllers=job,garbagecollector,namespace,ttl-after-finished,podgc,nodelifecycle,serviceaccount,serviceaccount-token,resourcequota',
    '--feature-gates=TTLAfterFinished=true',
    `--service-account-private-key-file=${at('accounts.key')}`,
    '--leader-elect=false',
    '--port=0',
    '--secure-port=0',
  ];
}

export function schedulerArgs(at) {
  return [`--kubeconfig=${at('admin.json')}`, '--leader-elect=false', '--port=0', '--secure-port=0'];
}

export function kubeletArgs(at) {
  return [
    `--kubeconfig=${at('admin.json')}`,
    `--config=${at('kubelet.json')}`,
    '--container-runtime=remote',
    `--container-runtime-endpoint=unix://${at('containerd.sock')}`,
    `--root-dir=${at('kubelet')}`,
    `--cert-dir=${at('certificates')}`,
    '--hostname-override=localhost',
    '--cni-conf-dir=/nonexistent',
  ];
}

function kubeconfig(at, {api}, token) {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [
      {
        name: 'test',
        cluster: {server: `https://127.0.0.1:${api}`, 'certificate-authority': at('certificates/apiserver.crt')},
      },
    ],
    users: [{name: 'test', user: {token}}],
    contexts: [{name: 'test', context: {cluster: 'test', user: 'test'}}],
    'current-context': 'test',
  };
}

function containerdToml(at) {
  return `version = 2
root = "${at('containerd')}"
state = "${at('containerd-state')}"
[grpc]
  address = "${at('containerd.sock')}"
[plugins."io.containerd.grpc.v1.cri"]
  sandbox_image = "docker.io/library/lumenflow-pause:1"
  restrict_oom_score_adj = true
  stream_server_address = "127.0.0.1"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir = "${at('plugins')}"
    conf_dir = "${at('cni')}"
  [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
    runtime_type = "io.containerd.runc.v2"
`;
}

function kubeletConfig({kubelet, health}) {
  return {
    apiVersion: 'kubelet.config.k8s.io/v1beta1',
    kind: 'KubeletConfiguration',
    // Reachable from pods unless their network prevents it.
    address: '0.0.0.0',
    port: kubelet,
    readOnlyPort: 0,
    healthzPort: health,
    healthzBindAddress: '127.0.0.1',
    authentication: {anonymous: {enabled: true}, webhook: {enabled: false}},
    authorization: {mode: 'AlwaysAllow'},
    cgroupDriver: 'cgroupfs',
    cgroupsPerQOS: false,
    enforceNodeAllocatable: [],
    failSwapOn: false,
    oomScoreAdj: 0,
    evictionHard: {'memory.available': '100Mi'},
    syncFrequency: '2s',
  };
}

function network(at, more) {
  const ipam = {type: 'host-local', subnet: podAddresses, dataDir: at('addresses')};
  return {
    cniVersion: '0.4.0',
    name: 'test',
    plugins: [{type: 'ptp', ipMasq: false, ipam: {...ipam, routes: [{dst: '0.0.0.0/0'}]}}, ...more],
  };
}

/** Chained after the plugin that connects a pod: it disconnects the pod, which keeps its address. */
const isolate = `#!/bin/sh
input=$(cat)
case "$CNI_COMMAND" in
ADD)
  nsenter --net="$CNI_NETNS" ip link set "$CNI_IFNAME" down >&2 || exit 1
  printf '%s' "$input" | jq '.prevResult'
  ;;
VERSION) echo '{"cniVersion":"0.4.0","supportedVersions":["0.4.0"]}' ;;
esac
`;
