// Tries what a cluster enforces: Pods are started as those of calls are, and what they attempt decides what receipts say.
import {createHash} from 'node:crypto';
import {readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {
  failed,
  ok,
  type Outcome,
  type RunnerProgram,
  type SandboxProblem,
  type StartRequest,
} from '@lumenflow/sandbox/backends';
import {
  foundGuarantees,
  keptTrial,
  tierOf,
  trialOutput,
  trialProfile,
  tryContainer,
  type AvailableReport,
  type Guarantees,
  type StartedGuest,
  type TriedContainer,
} from '@lumenflow/sandbox/guest';
import {confiningPolicy} from './confining-policy.ts';
import {explainRefusal} from './explain-refusal.ts';
import type {KubernetesOptions} from './kubernetes-options.ts';
import {listenerScript, networkFacts, networkScript, peerAddress, type NetworkFacts} from './network-trial.ts';
import {startInPod, type PodHost} from './start-in-pod.ts';

const memoryBytes = 256 * 1024 ** 2;
const listenedCharacters = 100;
/** For a Pod that runs, until its first line has arrived. */
const lineMs = 60_000;
/** A network or a node can change without a trace in the API. */
const validMs = 60 * 60_000;
/** Exceeds it, and has no other end. */
const memoryScript = `const kept = []; for (;;) kept.push(Buffer.alloc(8 << 20, 1));`;
type Host = PodHost & {
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
  readonly options: KubernetesOptions;
};

export async function probeCluster(host: Host): Promise<Outcome<AvailableReport>> {
  const version = await versionOf(host);
  if (!version.ok) return version;
  return await keptTrial({
    key: await trialKey(host, version.value),
    validMs,
    // Someone may be correcting a cluster that does not confine calls.
    isKept: ({gaps}) => gaps.length === 0,
    run: async () => await tryCluster(host, version.value),
  });
}

/** The cluster and its policy, the Pods, and what is tried in them. */
async function trialKey({cluster, options, agentPath, nodePath}: Host, version: string): Promise<readonly string[]> {
  const {server, context, namespace} = cluster;
  const policy = await confiningPolicy(cluster);
  const agent = createHash('sha256').update(readFileSync(agentPath)).digest('hex');
  return [
    server.href,
    context,
    version,
    namespace,
    policy.ok ? policy.value : '',
    JSON.stringify(options),
    agent,
    nodePath,
    memoryScript,
    listenerScript,
    networkScript({api: '', peer: ''}),
  ];
}

async function tryCluster(host: Host, version: string): Promise<Outcome<AvailableReport>> {
  const [tried, network, memory] = await Promise.all([
    tryContainer({
      backend: 'kubernetes',
      runner: {...host.runner, runtimePaths: []},
      launch: (trial) => launch(host, trial),
    }),
    tryNetwork(host),
    memoryEnds(host),
  ]);
  if (!tried.ok) return tried;
  if (!network.ok) return network;
  if (!memory.ok) return memory;
  const guarantees = guaranteesOf(tried.value, {
    answers: network.value.answers,
    memory: memory.value,
    hasToken: network.value.tokens.length > 0,
    nodeKernel: await nodeKernel(host),
  });
  return ok({
    available: true,
    backend: 'kubernetes',
    tier: tierOf(guarantees),
    version: `${version}, context ${host.cluster.context}`,
    guarantees,
    gaps: gapsOf(network.value.answers),
  });
}

export interface ClusterFacts {
  /** Targets that answered. */
  readonly answers: readonly string[];
  /** Whether the kernel ended a program that exceeded the limit. */
  readonly memory: boolean;
  readonly hasToken: boolean;
  /** Release; undefined: not known. */
  readonly nodeKernel: string | undefined;
}

export function guaranteesOf({facts, environment, grouped}: TriedContainer, cluster: ClusterFacts): Guarantees {
  const [release = ''] = facts.kernel.split(' ');
  const hostKernel =
    cluster.nodeKernel === undefined || cluster.nodeKernel === release ? facts.kernel : cluster.nodeKernel;
  const found = foundGuarantees(facts, {runtime: {filter: 'names'}, environment, grouped, hostKernel});
  return {
    ...found,
    filesystem: cluster.hasToken ? 'unsupported' : found.filesystem,
    // A Pod always has an interface: what counts is whether anything answers.
    network_off: cluster.answers.length === 0 ? 'enforced' : 'unsupported',
    memory: cluster.memory ? found.memory : 'best_effort',
    process_count: 'best_effort',
  };
}

function gapsOf(answers: readonly string[]): AvailableReport['gaps'] {
  if (answers.length === 0) return [];
  return [
    {
      message: `the cluster does not enforce the NetworkPolicy of calls: a Pod reached ${answers.map((target) => `\`${target}\``).join(', ')}`,
      help: 'apply the policy of `@lumenflow/integration-kubernetes`, and use a network plugin that enforces policies, such as Calico or Cilium',
    },
  ];
}

async function versionOf({cluster}: Host): Promise<Outcome<string>> {
  try {
    const {gitVersion}: {readonly gitVersion?: unknown} = await cluster.versions.getCode();
    if (typeof gitVersion === 'string') return ok(gitVersion);
    return failed(explainRefusal(new TypeError('it has no `gitVersion`'), {...cluster, action: 'read the version'}));
  } catch (error) {
    return failed(explainRefusal(error, {...cluster, action: 'read the version'}));
  }
}

/** Whether another kernel serves the Pods: only a host that may read nodes can find out. */
async function nodeKernel({cluster}: Host): Promise<string | undefined> {
  try {
    return (await cluster.core.listNode()).items[0]?.status?.nodeInfo?.kernelVersion;
  } catch {
    // The rights that the manifests grant do not include it.
    return undefined;
  }
}

async function tryNetwork(host: Host): Promise<Outcome<NetworkFacts>> {
  const listener = await launch(host, program(host, listenerScript));
  if (!listener.ok) return listener;
  try {
    const line = await firstLine(listener.value);
    const peer = peerAddress(line);
    if (peer === undefined) return failed(unreadable(line));
    const found = await printed(host, networkScript({api: host.cluster.server.host, peer}));
    if (!found.ok) return found;
    const facts = networkFacts(found.value);
    return facts === undefined ? failed(unreadable(found.value)) : ok(facts);
  } finally {
    listener.value.kill();
    await listener.value.ended;
  }
}

function unreadable(printed: string): SandboxProblem {
  const line = printed.trim().split('\n')[0]?.slice(0, listenedCharacters) ?? '';
  return {
    message: `a trial in a Pod printed ${line === '' ? 'nothing' : `\`${line}\``} instead of its result`,
    help: 'use an image whose `node` is Node 20 or later and prints nothing of its own',
  };
}

/** What has arrived by the end of the line, of the program, or of its time. */
async function firstLine({stdout, ended}: StartedGuest): Promise<string> {
  let text = '';
  const line = new Promise<void>((resolve) =>
    stdout?.on('data', (bytes: Buffer) => {
      text = `${text}${bytes.toString('latin1')}`.slice(0, listenedCharacters);
      if (text.includes('\n') || text.length === listenedCharacters) resolve();
    }),
  );
  await Promise.race([line, ended, delay(lineMs, undefined, {ref: false})]);
  return text;
}

async function memoryEnds(host: Host): Promise<Outcome<boolean>> {
  const started = await launch(host, program(host, memoryScript, {memory_bytes: memoryBytes}));
  if (!started.ok) return started;
  await trialOutput(started.value);
  return ok(started.value.meter?.ranOutOfMemory() === true);
}

async function printed(host: Host, script: string): Promise<Outcome<string>> {
  const started = await launch(host, program(host, script));
  if (!started.ok) return started;
  const output = await trialOutput(started.value);
  if (output.exitCode === 0) return ok(output.printed);
  return failed({
    message: `a trial in a Pod ended with exit code ${output.exitCode}${output.said === '' ? '' : ` (\`${output.said}\`)`}`,
    help: 'use an image that contains `/bin/sh` and Node 20 or later',
  });
}

type Inside = Parameters<Parameters<typeof tryContainer>[0]['launch']>[0];

function program({runner}: Host, script: string, limits: Inside['profile']['limits'] = {}): Inside {
  const profile = trialProfile([]);
  return {
    profile: {...profile, limits: {...profile.limits, ...limits}},
    program: {kind: 'command', argv: [runner.nodePath, '-e', script]},
    cwd: '/tmp',
  };
}

async function launch(
  host: Host,
  {profile, program, cwd}: Inside,
): Promise<Outcome<StartedGuest & {bound(): undefined}>> {
  const request: StartRequest = {
    profile: {
      profile,
      digest: '',
      workspaceRoot: cwd,
      watched: [],
      guarded: [],
      obeyed: [],
      hiddenRules: {literals: [], patterns: []},
      skipped: [],
    },
    program,
  };
  const started = await startInPod(request, host);
  return started.ok ? ok({...started.value, bound: () => undefined}) : started;
}
