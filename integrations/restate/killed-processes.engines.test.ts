// Programs of a real workspace on a real Restate server: the worker and the server are killed with SIGKILL again and again, and the
// records must show that nothing was lost, and nothing done twice.
import {execFile, spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {setTimeout as wait} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {promisify} from 'node:util';
import {afterEach, beforeEach, describe, expect, it} from 'vitest';
import {createLocalServer, noServer, type LocalServer} from './local-server.fixture.ts';

const program = fileURLToPath(new URL('../../host/lumenflow.mjs', import.meta.url));
const runs = 4;
const limitMs = 600_000;

let home: string;
let server: LocalServer;
let processes: ChildProcess[];

describe.skipIf(noServer !== undefined)('programs on Restate', () => {
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'lumenflow-engine-'));
    processes = [];
    server = await createLocalServer(process.env['LUMENFLOW_BOUNDED'] === undefined ? 3 : 1);
    await lumenflow('init');
    writeFileSync(
      join(home, 'workspace.yaml'),
      `${readFileSync(join(home, 'workspace.yaml'), 'utf8')}engine:\n  kind: restate\n${Object.entries(
        server.urls.at(-1) ?? {},
      )
        .map(([key, url]) => `  ${key}: ${url}\n`)
        .join('')}`,
    );
    writeFileSync(join(home, 'flow.yaml'), flow);
  });
  afterEach(async () => {
    await Promise.all(processes.map(kill));
    await server.remove();
    rmSync(home, {recursive: true, force: true});
  });

  it(
    'lose no step and repeat none while the worker and the server are killed',
    async () => {
      const port = await freePort();
      let worker = await startWorker(port);
      await startServe();
      const started = Array.from(
        {length: runs},
        async (_, index) =>
          // A wait that the kill of the server ends reports the failure of the engine: the run is recorded.
          await lumenflow('program', 'run', 'flow.yaml', `n=${index}`, '--as', 'bob', '--json').catch(String),
      );
      const all = Promise.all(started);
      for (let round = 0; round < 4; round += 1) {
        await wait(1_500);
        await kill(worker);
        if (round % 2 === 0) await server.kill(0);
        await server.start();
        worker = await startWorker(port);
      }
      await all;
      await settle();
      await kill(worker);
      await server.kill();
      await server.start();
      worker = await startWorker(port);
      const list = await settle();
      expect(list.map(({task_state}) => task_state)).toEqual(Array.from({length: runs}, () => 'done'));
      for (const {run_id} of list) expect(await outcomes(run_id)).toEqual(Array.from({length: 12}, () => 'once'));
      expect(await lumenflow('evidence', 'verify')).toContain('verified');
    },
    limitMs,
  );
});

const flow = `name: flow
inputs:
  n: {type: integer}
steps:
  - foreach: "[1, 2, 3, 4, 5, 6, 7, 8]"
    item: step
    max: 8
    steps:
      - {call: file:write, args: {path: "docs/\${string(inputs.n)}-\${string(step)}.txt", content: one}}
  - wait_for_approval: Go on?
  - foreach: "[1, 2, 3, 4]"
    item: step
    max: 4
    steps:
      - {call: file:write, args: {path: "docs/\${string(inputs.n)}-late-\${string(step)}.txt", content: two}}
  - return: done
`;

interface ListedRun {
  readonly run_id: string;
  readonly task_state: string;
}

async function json<T>(...args: readonly string[]): Promise<T> {
  return JSON.parse(await lumenflow(...args, '--json')) as T;
}

/** Approves every request until all runs are over. Of a call whose outcome is unknown, this says that it happened. */
async function settle(): Promise<readonly ListedRun[]> {
  for (const deadline = performance.now() + limitMs; ; await wait(500)) {
    const {programs} = await json<{readonly programs: readonly ListedRun[]}>('program', 'list');
    if (programs.every(({task_state}) => task_state === 'done') || performance.now() > deadline) return programs;
    const {approvals} = await json<{readonly approvals: readonly Request[]}>('approvals', 'list');
    for (const {request_id, state} of approvals)
      if (state === 'pending') await lumenflow('approvals', 'approve', request_id, '--as', 'ann');
  }
}

interface Request {
  readonly request_id: string;
  readonly state: string;
}

interface CallReceipt {
  readonly started: {readonly execution_metadata?: {readonly program_step?: string}};
  readonly finished?: {readonly result: string};
}

/** For each step of a run, how its calls ended. once: one succeeded, or none did and a person said that the last one happened. */
async function outcomes(run_id: string): Promise<readonly string[]> {
  const {receipts} = await json<{readonly receipts: readonly CallReceipt[]}>(
    'evidence',
    'list',
    '--task',
    run_id,
    '--limit',
    '500',
  );
  const bySteps = new Map<string, string[]>();
  for (const {started, finished} of receipts) {
    const step = started.execution_metadata?.program_step ?? '';
    bySteps.set(step, [...(bySteps.get(step) ?? []), finished?.result ?? 'open']);
  }
  return Array.from(bySteps.values(), (results) => {
    const succeeded = results.filter((result) => result === 'success').length;
    return succeeded === 1 || (succeeded === 0 && results.includes('crashed')) ? 'once' : results.join();
  });
}

async function startWorker(port: number): Promise<ChildProcess> {
  return await startProcess(['worker', '--engine', '--listen', `127.0.0.1:${port}`], 'advances runs');
}

async function startServe(): Promise<ChildProcess> {
  return await startProcess(['serve', '--port', '0'], 'serving');
}

async function startProcess(args: readonly string[], announcement: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [program, ...args], {cwd: home, stdio: ['ignore', 'pipe', 'pipe']});
  processes.push(child);
  let text = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (text.includes(announcement)) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`it ended: ${text}`)));
  });
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function lumenflow(...args: readonly string[]): Promise<string> {
  const {stdout, stderr} = await promisify(execFile)(process.execPath, [program, ...args], {cwd: home}).catch(
    (error: Error & {readonly code?: number; readonly stdout: string; readonly stderr: string}) => {
      // 3: it waits for a person.
      if (error.code !== 3) throw error;
      return error;
    },
  );
  return stdout === '' ? stderr : stdout;
}

async function freePort(): Promise<number> {
  const listening = createServer().listen(0, '127.0.0.1');
  await once(listening, 'listening');
  const {port} = listening.address() as AddressInfo;
  await new Promise((resolve) => listening.close(resolve));
  return port;
}
