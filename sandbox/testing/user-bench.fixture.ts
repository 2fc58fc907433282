// Sandboxed calls by another user than the one that runs the tests, or on a machine that lacks programs: each runs in a separate
// process.
import {spawn, type ChildProcess} from 'node:child_process';
import {chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {build} from 'esbuild';
import type {ResourceLimits, SandboxBackendName, SandboxBackendOptions} from '@lumenflow/schemas';
import {findBwrap} from '../bubblewrap/host-system.ts';
import type {SandboxResult} from '../backends/sandbox-call.ts';
import {createSpawnExecutor} from '../commands/create-spawn-executor.ts';
import {progressLine} from './progress-line.fixture.ts';
import {bundleNetworkHolder, bundleRunner, bundleVmAgent} from './sandbox-bench.fixture.ts';

export const nobody = 65534;

export interface UserCall {
  /** Default bubblewrap. */
  readonly backend?: SandboxBackendName;
  /** Of backends. */
  readonly options?: SandboxBackendOptions;
  readonly limits?: ResourceLimits;
  /** Patterns; default everything. */
  readonly write?: readonly string[];
  /** Entries of an allowlist. */
  readonly allow?: readonly string[];
  /** The whole network, instead of one. */
  readonly full?: boolean;
  /** Where names lead; all others to this machine. */
  readonly hosts?: Readonly<Record<string, readonly string[]>>;
  /** Default `nobody`. */
  readonly uid?: number;
  /** Absolute paths of programs that the machine is not to have. */
  readonly without?: readonly string[];
}

export interface BegunHost extends ChildProcess {
  /** Resolves once the handler has reported progress. Rejects if the host ends before. */
  readonly handlerBegan: Promise<void>;
}

export interface UserBench {
  readonly workspace: string;
  /** Runs a handler of this body. */
  call(body: string, call?: UserCall): Promise<SandboxResult>;
  /** Starts it in a process that is a host by itself. Its handler may run for a minute. */
  begin(body: string, call?: UserCall): BegunHost;
  remove(): void;
}

const setpriv = '/usr/bin/setpriv';
const begunMs = 60_000;

/** Why there can be no such calls here. */
export function userObstacle(): string | undefined {
  if (findBwrap('/usr/bin:/bin') === undefined) return 'bubblewrap is not installed';
  if (process.getuid?.() !== 0) return 'only root can become another user';
  return existsSync(setpriv) ? undefined : 'setpriv is not installed';
}

export async function createUserBench(): Promise<UserBench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-user-')));
  const [workspace, bundle] = [join(folder, 'workspace'), join(folder, 'bundle')];
  const [program, runnerPath] = [join(folder, 'call.mjs'), join(folder, 'runner.cjs')];
  const networkHolderPath = join(folder, 'network-holder.cjs');
  mkdirSync(workspace);
  mkdirSync(bundle);
  await bundleRunner(runnerPath);
  await bundleNetworkHolder(networkHolderPath);
  await bundleVmAgent(join(folder, 'vm-agent.cjs'));
  await bundleProgram(program);
  for (const path of [folder, workspace, bundle]) chmodSync(path, 0o755);
  const commandOf = (body: string, call: UserCall = {}, wallMs = 20_000) => {
    const {backend = 'bubblewrap', limits = {}, write = ['**'], allow = [], full = false, hosts = {}} = call;
    const {uid = nobody, without = [], options = {}} = call;
    writeFileSync(
      join(bundle, 'handler.mjs'),
      `import fs from 'node:fs';\nexport async function run(input, context) {${body}\n}\n`,
    );
    const paths = {workspace, runnerPath, networkHolderPath, bundle, entry: `${bundle}/handler.mjs#run`};
    const orders = JSON.stringify({...paths, backend, options, limits, write, allow, full, hosts, wallMs});
    const become = [setpriv, `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    const hiding = ['unshare', '--mount', 'sh', '-c', hideScript, 'sh', without.join(':')];
    const [command = '', ...args] = without.length === 0 ? become : [...hiding, ...become];
    return {
      command,
      args: [...args, process.execPath, program, orders],
      cwd: '/',
      env: {PATH: '/usr/bin:/bin'},
    };
  };
  return {
    workspace,
    async call(body, call) {
      const {stdout, stderr} = await createSpawnExecutor().run({
        ...commandOf(body, call),
        outputSink: {kind: 'capture', maxBytes: 1_000_000},
      });
      if (stdout === '') throw new Error(stderr);
      return JSON.parse(stdout) as SandboxResult;
    },
    begin(body, call) {
      const {command, args, cwd, env} = commandOf(body, call, begunMs);
      const host = spawn(command, args, {cwd, env, stdio: ['ignore', 'ignore', 'pipe']});
      const handlerBegan = reportedProgress(host);
      // Not every test waits for it.
      handlerBegan.catch(() => undefined);
      return Object.assign(host, {handlerBegan});
    },
    remove: () => rmSync(folder, {recursive: true, force: true}),
  };
}

async function reportedProgress(host: ChildProcess): Promise<void> {
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    host.stderr?.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (printed.includes(progressLine)) resolve();
    });
    host.once('close', () => reject(new Error(`the host ended before its handler began: ${printed}`)));
  });
}

/** Only this process and its children see the files gone. */
const hideScript = `IFS=:; for path in $1; do mount --bind /dev/null "$path" || exit 1; done; shift; exec "$@"`;

async function bundleProgram(outfile: string): Promise<void> {
  await build({
    entryPoints: [new URL('call-as-user.fixture.ts', import.meta.url).pathname],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    conditions: ['@lumenflow/source'],
    banner: {
      js: `import {createRequire as requireFrom} from 'node:module'; const require = requireFrom(import.meta.url);`,
    },
    logLevel: 'error',
  });
}
