// The seatbelt backend over the stand-in, with a workspace in a separate folder.
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {build} from 'esbuild';
import type {GrantedScopes, ResourceLimits} from '@lumenflow/schemas';
import {runnerProgram} from '../../backends/runner-program.ts';
import type {SandboxRequest, SandboxResult} from '../../backends/sandbox-call.ts';
import {createSpawnExecutor} from '../../commands/create-spawn-executor.ts';
import {createCallExecutor, type CallExecutor} from '../../execution/create-call-executor.ts';
import {createSandboxNetwork} from '../../network/create-sandbox-network.ts';
import {baseEnv} from '../../profile/base-env.ts';
import {compileProfile} from '../../profile/compile-profile.ts';
import {createHostFiles} from '../../profile/host-files.ts';
import type {CompiledProfile, ProfileInput} from '../../profile/profile-input.ts';
import {createSeatbeltBackend} from '../../seatbelt/create-seatbelt-backend.ts';
import {globMatcher} from '../glob-matcher.fixture.ts';
import {bundleRunner} from '../sandbox-bench.fixture.ts';
import {valueOf} from '../value-of.fixture.ts';

export interface SeatbeltCall {
  readonly grant?: Partial<GrantedScopes>;
  readonly limits?: ResourceLimits;
  readonly request?: Partial<SandboxRequest>;
}

/** What the stand-in recorded at its last start. */
export interface StartNote {
  readonly option: string;
  readonly command: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly text: string;
  readonly mode: string;
  readonly fds: readonly string[];
}

export interface SeatbeltBench {
  readonly workspace: string;
  readonly backend: CallExecutor;
  put(path: string, content?: string): void;
  /** Makes the stand-in refuse every start, or enforce nothing; undefined: it works normally. */
  misbehave(how: 'refuse' | 'loose' | undefined): void;
  /** Runs the body of a handler `async (input, context) => { … }`. */
  call(body: string, call?: SeatbeltCall): Promise<SandboxResult>;
  lastStart(): StartNote;
  /** Folders of calls that are still there. */
  leftOver(): readonly string[];
  remove(): Promise<void>;
}

export async function createSeatbeltBench(): Promise<SeatbeltBench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-seatbelt-')));
  const [workspace, temporaryRoot, tools] = ['workspace', 'tmp', 'tools'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  for (const path of [workspace, temporaryRoot, tools]) mkdirSync(path);
  const runnerPath = join(folder, 'runner.cjs');
  await bundleRunner(runnerPath);
  await bundleStandIn(tools);
  const programPath = join(tools, 'stand-in.cjs');
  const runner = runnerProgram({nodePath: process.execPath, runnerPath});
  const backend = createCallExecutor({
    backend: createSeatbeltBackend({runner, executor: createSpawnExecutor(), temporaryRoot, programPath}),
    runner,
    files: createHostFiles(),
    network: createSandboxNetwork({
      nodePath: runner.nodePath,
      holderPath: '/nonexistent',
      resolveHost: async () => ['127.0.0.1'],
    }),
  });
  let count = 0;
  return {
    workspace,
    backend,
    put(path, content = '') {
      mkdirSync(dirname(join(workspace, path)), {recursive: true});
      writeFileSync(join(workspace, path), content);
    },
    misbehave(how) {
      for (const name of ['refuse', 'loose']) rmSync(join(tools, name), {force: true});
      if (how !== undefined) writeFileSync(join(tools, how), '');
    },
    async call(body, {grant = {}, limits = {}, request = {}} = {}) {
      count += 1;
      const module = join(folder, `handler-${count}.mjs`);
      writeFileSync(module, `import fs from 'node:fs';\nexport async function run(input, context) {${body}\n}\n`);
      const granted: GrantedScopes = {read: [], write: [], network: {posture: 'off', allowlist_entries: []}, ...grant};
      const runtimePaths = [...runner.runtimePaths, module, join(tools, 'guard.cjs')];
      const env = baseEnv({nodePath: runner.nodePath});
      const profile = await compile({workspaceRoot: workspace, grant: granted, runtimePaths, limits, env});
      const invocation = {
        ...sameInEach,
        handler_entry: `${module}#run`,
        scope_enforced: granted,
        workspace_root: workspace,
      };
      return backend.execute({profile, wallMs: 20_000, invocation, ...request});
    },
    lastStart: () => JSON.parse(readFileSync(join(tools, 'started.json'), 'utf8')) as StartNote,
    leftOver: () => readdirSync(temporaryRoot),
    async remove() {
      await backend.close();
      rmSync(folder, {recursive: true, force: true});
    },
  };
}

/** `stand-in.cjs`, to be started in place of sandbox-exec, and beside it `guard.cjs`, which what it starts must read. */
export async function bundleStandIn(folder: string): Promise<void> {
  for (const name of ['guard', 'stand-in']) await bundle(name, join(folder, `${name}.cjs`));
  chmodSync(join(folder, 'stand-in.cjs'), 0o755);
}

const sameInEach = {
  protocol: 1,
  tool_name: 'bench:run',
  input: {},
  receipt_id: 'rcp-1',
  task_id: 'task-1',
  run_id: 'run-1',
  session_id: 'session-1',
  lane_id: 'lane-1',
  config: {},
  env: {},
} as const;

type Given = Pick<ProfileInput, 'workspaceRoot' | 'grant' | 'runtimePaths' | 'limits' | 'env'>;

async function compile(given: Given): Promise<CompiledProfile> {
  const profile = valueOf(
    await compileProfile({
      ...given,
      denyOverlays: [],
      home: '/nonexistent',
      compilePattern: globMatcher,
      files: createHostFiles(),
    }),
  );
  return profile;
}

async function bundle(name: string, outfile: string): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.fixture.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    banner: {js: `#!${process.execPath}`},
    logLevel: 'warning',
  });
}
