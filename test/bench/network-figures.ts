// What an allowlist costs: the same handler connects and reads inside a sandbox, and as a plain process.
import {compileProfile, createHostFiles, createSandbox} from '@lumenflow/sandbox';
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {once} from 'node:events';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {Worker} from 'node:worker_threads';
import {compare, type Sampler} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';

/** Sends the requested number of bytes; in a separate thread, because the host relays in this one. */
const server = `
const {parentPort} = require('node:worker_threads');
const block = Buffer.alloc(1 << 20);
require('node:net').createServer((socket) => {
  socket.on('error', () => {}).once('data', (asked) => {
    let left = Number(asked);
    const send = () => { while (left > 0) { left -= block.length; if (!socket.write(left < 0 ? block.subarray(left) : block)) return socket.once('drain', send); } socket.end(); };
    send();
  });
}).listen(0, '127.0.0.1', function () { parentPort.postMessage(this.address().port); });`;

const handler = `
import {connect} from 'node:net';
const read = (port, bytes) => new Promise((done, fail) => {
  const socket = connect(port, '127.0.0.1', () => socket.write(String(bytes)));
  socket.on('data', () => {}).on('error', fail).on('close', done);
});
export async function run({port, count, bytes}) {
  const times = [];
  for (let index = 0; index < count; index += 1) {
    const started = performance.now();
    await read(port, bytes);
    times.push(performance.now() - started);
  }
  return times;
}`;

const streamBytes = 256 * 1024 * 1024;

export async function* networkFigures(effort: Effort): AsyncGenerator<Figure> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-bench-')));
  writeFileSync(join(folder, 'handler.mjs'), handler);
  const worker = new Worker(server, {eval: true});
  const [port] = (await once(worker, 'message')) as [number];
  const count = operations(effort, 100);
  const baseline = (input: Omit<Input, 'port'>) => ({
    title: 'direct',
    sample: sampler('unsafe-host', folder, {port, ...input}),
  });
  try {
    yield await compare({
      id: 'sandbox.network_connection',
      title: 'new allow-listed connection',
      unit: 'ms',
      runs: effort.runs,
      sample: sampler('bubblewrap', folder, {port, count, bytes: 1}),
      baseline: baseline({count, bytes: 1}),
      goal: {of: 'ratio', limit: 4},
    });
    yield await compare({
      id: 'sandbox.network_stream',
      title: '256 MiB through an allowlist',
      unit: 'ms',
      runs: effort.runs,
      sample: sampler('bubblewrap', folder, {port, count: 1, bytes: streamBytes}),
      baseline: baseline({count: 1, bytes: streamBytes}),
      // 40 % of the throughput.
      goal: {of: 'ratio', limit: 2.5},
    });
  } finally {
    await worker.terminate();
    rmSync(folder, {recursive: true});
  }
}

interface Input {
  readonly port: number;
  /** Connections, one after the other. */
  readonly count: number;
  /** Read from each. */
  readonly bytes: number;
}

/** The times that the handler took, by its own clock. */
function sampler(backend: 'bubblewrap' | 'unsafe-host', folder: string, input: Input): Sampler {
  return async () => {
    const sandbox = createSandbox({backend, searchPath: process.env['PATH'] ?? ''});
    const scopes = {
      read: [],
      write: [],
      network: {posture: 'allowlist' as const, allowlist_entries: [`127.0.0.1:${input.port}`]},
    };
    const compiled = await compileProfile({
      workspaceRoot: folder,
      grant: scopes,
      denyOverlays: [],
      home: '/nonexistent',
      runtimePaths: [...sandbox.runtimePaths, join(folder, 'handler.mjs')],
      limits: {},
      env: sandbox.baseEnv,
      compilePattern: (pattern) => (path) => path === pattern,
      files: createHostFiles(),
    });
    if (!compiled.ok) throw new Error(compiled.problem);
    const profile = compiled.value;
    const invocation = {
      protocol: 1 as const,
      tool_name: 'bench:network',
      handler_entry: `${join(folder, 'handler.mjs')}#run`,
      input,
      scope_enforced: scopes,
      receipt_id: 'rcp-1',
      task_id: 'task-1',
      run_id: 'run-1',
      session_id: 'session-1',
      lane_id: 'core',
      workspace_root: folder,
      config: null,
      env: {},
    };
    const {output} = await sandbox.execute({profile, invocation, wallMs: 60_000});
    await sandbox.close();
    if (!output.success) throw new Error(JSON.stringify(output.error));
    return output.data as number[];
  };
}
