// What a call on a worker on this machine costs above the same call without one, and what files of a repository cost.
import {createSandbox, compileProfile, createHostFiles} from '@lumenflow/sandbox';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {startWorkerProcess, type WorkerProcess} from '../support/worker-process.ts';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {openSandboxCall} from './open-sandbox-call.ts';
import {oneByOne} from './samplers.ts';
import {servedBySpares} from './served-by-spares.ts';

const filesCount = 10_000;

export async function* remoteFigures(effort: Effort): AsyncGenerator<Figure> {
  const worker = await startWorkerProcess();
  try {
    yield* callFigures(effort, worker);
    yield* fileFigures(effort, worker);
  } finally {
    await worker.close();
  }
}

async function* callFigures(effort: Effort, {listed, workerKey}: WorkerProcess): AsyncGenerator<Figure> {
  const backendOptions = {remote: {workers: [listed]}};
  const options = {backend: 'remote', workerKey, warm: {}} as const;
  const warm = {packHash: 'sha256:1'};
  const remote = await openSandboxCall(options, writeHandler, {backendOptions, warm});
  const local = await openSandboxCall({backend: 'bubblewrap', warm: {}}, writeHandler, {warm});
  try {
    const count = operations(effort, 20);
    yield await compare({
      id: 'remote.warm_call',
      title: 'warm call on a worker on this machine',
      unit: 'ms',
      runs: effort.runs,
      sample: servedBySpares(count, remote.sandbox, remote.run),
      baseline: {title: 'the same without a worker', sample: servedBySpares(count, local.sandbox, local.run)},
      bar: {of: 'difference', limit: 5},
    });
  } finally {
    await Promise.all([remote.close(), local.close()]);
  }
  const coldRemote = await openSandboxCall({backend: 'remote', workerKey}, writeHandler, {backendOptions});
  const coldLocal = await openSandboxCall({backend: 'bubblewrap'}, writeHandler);
  try {
    const count = operations(effort, 5);
    yield await compare({
      id: 'remote.cold_call',
      title: 'cold call on a worker on this machine',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(count, coldRemote.run),
      baseline: {title: 'the same without a worker', sample: oneByOne(count, coldLocal.run)},
    });
  } finally {
    await Promise.all([coldRemote.close(), coldLocal.close()]);
  }
}

/** Another host, which must read and send everything, and one that has made a call before. */
async function* fileFigures(effort: Effort, worker: WorkerProcess): AsyncGenerator<Figure> {
  const first = await openRepository(worker);
  const again = await openRepository(worker);
  try {
    yield await compare({
      id: 'remote.transfer_again',
      title: `call with ${filesCount} files that have not changed`,
      unit: 'ms',
      runs: Math.min(3, effort.runs),
      sample: again.call,
      baseline: {
        title: 'with as many new files',
        sample: async () => {
          first.renew();
          return await first.call();
        },
      },
    });
  } finally {
    await Promise.all([first.close(), again.close()]);
  }
}

async function openRepository({listed, workerKey}: WorkerProcess): Promise<{
  readonly call: Sampler;
  renew(): void;
  close(): Promise<void>;
}> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-bench-repository-')));
  const sandbox = createSandbox({searchPath: process.env['PATH'] ?? '', backend: 'remote', workerKey});
  const scopes = {read: ['files/**'], write: [], network: {posture: 'off' as const, allowlist_entries: []}};
  const entry = writeHandler(root);
  let generation = 0;
  const renew = (): void => {
    generation += 1;
    for (let number = 0; number < filesCount; number += 1) {
      const folder = join(root, 'files', String(number % 100));
      mkdirSync(folder, {recursive: true});
      writeFileSync(join(folder, `${number}.txt`), `${root} ${generation} ${number}\n`.repeat(40));
    }
  };
  renew();
  return {
    renew,
    async call() {
      const started = performance.now();
      const compiled = await compileProfile({
        workspaceRoot: root,
        grant: scopes,
        denyOverlays: [],
        home: '/nonexistent',
        runtimePaths: [...sandbox.runtimePaths, join(root, 'bundle')],
        limits: {},
        env: sandbox.baseEnv,
        compilePattern: (pattern) => (path) => path.startsWith(pattern.replace('**', '')),
        files: createHostFiles(),
      });
      if (!compiled.ok) throw new Error(compiled.problem);
      const {output} = await sandbox.execute({
        profile: compiled.value,
        wallMs: 120_000,
        backendOptions: {remote: {workers: [listed]}},
        invocation: {
          protocol: 1,
          tool_name: 'bench:call',
          handler_entry: entry,
          input: null,
          scope_enforced: scopes,
          receipt_id: 'rcp-1',
          task_id: 'task-1',
          run_id: 'run-1',
          session_id: 'session-1',
          lane_id: 'core',
          workspace_root: root,
          config: null,
          env: {},
        },
      });
      if (!output.success) throw new Error(JSON.stringify(output.error));
      return [performance.now() - started];
    },
    async close() {
      await sandbox.close();
      rmSync(root, {recursive: true});
    },
  };
}

function writeHandler(folder: string): string {
  mkdirSync(join(folder, 'bundle'), {recursive: true});
  const module = join(folder, 'bundle/handler.mjs');
  writeFileSync(module, 'export const run = async () => ({success: true, data: null});\n');
  return `${module}#run`;
}
