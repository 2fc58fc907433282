// Measures one backend on this machine.
import {setTimeout as delay} from 'node:timers/promises';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {spawnSync} from 'node:child_process';
import type {ProbeReport, SandboxOptions} from '@lumenflow/sandbox';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {openSandboxCall} from '../bench/open-sandbox-call.ts';
import {makeAttacks, selectAttacks} from '../escape/make-attacks.ts';
import {judgeRun} from '../escape/result-table.ts';
import {engineNames, runEngine, type EngineName, type RunningEngine} from '../support/run-engine.ts';

export const measuredBackends = ['bubblewrap', 'runc', 'crun', 'gvisor', 'docker', 'podman', 'containerd'] as const;
type Backend = (typeof measuredBackends)[number] & SandboxBackendName;

export interface MeasuredBackend {
  readonly backend: Backend;
  readonly report: ProbeReport;
  /** Medians; undefined where the backend is absent. */
  readonly coldMs?: number;
  readonly warmMs?: number;
  /** Undefined unless attacks were asked for. `notTried`: calls that ended before their attack. */
  readonly attacks?: {readonly tried: number; readonly succeeded: number; readonly notTried: number};
}

const samples = 7;
const programs: Readonly<Record<EngineName, string>> = {docker: 'dockerd', podman: 'podman', containerd: 'containerd'};

/** `groups`: of attacks. Only root can start an engine here. */
export async function measureBackend(backend: Backend, groups: readonly string[]): Promise<MeasuredBackend> {
  const engine = engineNames.find((name) => name === backend);
  const running = engine && canStart(engine) ? await runEngine(engine) : undefined;
  try {
    return await measure(backend, groups, running);
  } finally {
    await running?.end();
  }
}

function canStart(engine: EngineName): boolean {
  return process.getuid?.() === 0 && spawnSync(programs[engine], ['--version']).error === undefined;
}

async function measure(
  backend: Backend,
  groups: readonly string[],
  running: RunningEngine | undefined,
): Promise<MeasuredBackend> {
  const more = running && {backendOptions: {[backend]: {socket: running.socket}}};
  const cold = await openSandboxCall({backend}, writeHandler, more);
  try {
    const report = await cold.sandbox.probe(more?.backendOptions);
    if (!report.available) return {backend, report};
    await cold.run();
    const coldMs = await median(cold.run);
    const warmMs = await warmMedian({backend, warm: {}}, more);
    if (groups.length === 0) return {backend, report, coldMs, warmMs};
    const user = {name: 'user', uid: process.getuid?.() === 0 && backend !== 'docker' ? 65_534 : undefined};
    const isForUser = running === undefined;
    const attacks = selectAttacks({groups, quick: true});
    const root = {name: 'root', uid: undefined};
    const results = await makeAttacks({backend, user: isForUser ? user : root, attacks});
    const {held, succeeded, not_tried} = judgeRun(results, false);
    const counts = {tried: held + succeeded, succeeded, notTried: not_tried};
    return {backend, report, coldMs, warmMs, attacks: counts};
  } finally {
    await cold.close();
  }
}

async function warmMedian(
  options: Partial<SandboxOptions>,
  more: Parameters<typeof openSandboxCall>[2],
): Promise<number> {
  const call = await openSandboxCall(options, writeHandler, {...more, warm: {packHash: 'sha256:1'}});
  try {
    await call.run();
    return await median(call.run, async () => {
      while ((call.sandbox.warmPool()?.spares ?? 0) === 0) await delay(10);
    });
  } finally {
    await call.close();
  }
}

async function median(run: () => Promise<void>, before?: () => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample += 1) {
    await before?.();
    const started = performance.now();
    await run();
    times.push(performance.now() - started);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(samples / 2)] ?? 0;
}

function writeHandler(folder: string): string {
  const path = join(folder, 'handler.mjs');
  writeFileSync(path, 'export async function run() { return 1; }\n');
  return `${path}#run`;
}
