// A program for tests: one sandboxed call, made by any user. Reads its orders as JSON, answers as JSON.
import {createSandbox} from '../create-sandbox.ts';
import {compileProfile} from '../profile/compile-profile.ts';
import {createHostFiles} from '../profile/host-files.ts';
import type {NetworkPosture, ResourceLimits, SandboxBackendName, SandboxBackendOptions} from '@lumenflow/schemas';
import {globMatcher} from './glob-matcher.fixture.ts';
import {progressLine} from './progress-line.fixture.ts';
import {valueOf} from './value-of.fixture.ts';

interface Orders {
  readonly backend: SandboxBackendName;
  readonly options: SandboxBackendOptions;
  readonly workspace: string;
  readonly runnerPath: string;
  readonly networkHolderPath: string;
  /** `/absolute/file.mjs#export` */
  readonly entry: string;
  readonly bundle: string;
  readonly limits: ResourceLimits;
  readonly write: readonly string[];
  /** Entries of an allowlist. */
  readonly allow: readonly string[];
  readonly full: boolean;
  readonly wallMs: number;
  /** Where names lead; all others to this machine. */
  readonly hosts: Readonly<Record<string, readonly string[]>>;
}

const orders = JSON.parse(process.argv[2] ?? '') as Orders;
const sandbox = createSandbox({
  backend: orders.backend,
  searchPath: '/usr/bin:/bin',
  runnerPath: orders.runnerPath,
  networkHolderPath: orders.networkHolderPath,
  resolveHost: async (name) => orders.hosts[name] ?? ['127.0.0.1'],
});
const posture: NetworkPosture = orders.full ? 'full' : orders.allow.length === 0 ? 'off' : 'allowlist';
const grant = {read: [], write: [...orders.write], network: {posture, allowlist_entries: [...orders.allow]}};
const profile = valueOf(
  await compileProfile({
    workspaceRoot: orders.workspace,
    grant,
    denyOverlays: [],
    home: '/nonexistent',
    runtimePaths: [...sandbox.runtimePaths, orders.bundle],
    limits: orders.limits,
    env: sandbox.baseEnv,
    compilePattern: globMatcher,
    files: createHostFiles(),
  }),
);
const result = await sandbox.execute({
  profile,
  wallMs: orders.wallMs,
  // For tests that must know that the handler has begun.
  onMessage: ({type}) => void (type === 'progress' && process.stderr.write(progressLine)),
  backendOptions: orders.options,
  invocation: {
    protocol: 1,
    tool_name: 'bench:run',
    handler_entry: orders.entry,
    input: {},
    scope_enforced: grant,
    receipt_id: 'rcp-1',
    task_id: 'task-1',
    run_id: 'run-1',
    session_id: 'session-1',
    lane_id: 'lane-1',
    workspace_root: orders.workspace,
    config: {},
    env: {},
  },
});
process.stdout.write(JSON.stringify(result));
