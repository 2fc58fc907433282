// Measures one backend on this machine.
import {setTimeout as delay} from 'node:timers/promises';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {ProbeReport} from '@lumenflow/sandbox';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {openSandboxCall} from '../bench/open-sandbox-call.ts';
import {writeNoopModule} from '../bench/write-noop-module.ts';
import {attackedBackends} from '../escape/attacked-backends.ts';
import {makeAttacks, selectAttacks} from '../escape/make-attacks.ts';
import {judgeRun, type Verdict} from '../escape/result-table.ts';
import type {RunningEngine} from '../support/run-engine.ts';
import {withEngine} from './with-engine.ts';

/** Those of the suite of attacks, and `wasm`, which runs no attack in JavaScript. */
export const measuredBackends: readonly SandboxBackendName[] = [
  ...(Object.keys(attackedBackends) as SandboxBackendName[]),
  'wasm',
];

export interface MeasuredBackend {
  readonly backend: SandboxBackendName;
  readonly report: ProbeReport;
  /** Medians; undefined where the backend is absent. */
  readonly coldMs?: number;
  /** Undefined where no sandbox can be started before its call, too. */
  readonly warmMs?: number | undefined;
  /** Undefined where attacks cannot run. */
  readonly attacks?: Verdict | undefined;
}

const usual = {samples: 5, oneIn: 24} as const;
const slow = {samples: 3, oneIn: 96} as const;
const nobody = 65_534;

/** `groups`: of attacks; default a few of all. */
export async function measureBackend(backend: SandboxBackendName, groups: readonly string[]): Promise<MeasuredBackend> {
  return await withEngine(backend, async (running) => await measure(backend, groups, running));
}

async function measure(
  backend: SandboxBackendName,
  groups: readonly string[],
  running: RunningEngine | undefined,
): Promise<MeasuredBackend> {
  const more = running && {backendOptions: {[backend]: {socket: running.socket}}};
  const entryIn = backend === 'wasm' ? writeNoopModule : writeHandler;
  const cold = await openSandboxCall({backend}, entryIn, more);
  try {
    const report = await cold.sandbox.probe(more?.backendOptions);
    if (!report.available) return {backend, report};
    await cold.run();
    const {samples} = effortFor(backend);
    const coldMs = await median(samples, cold.run);
    const warmMs = await warmMedian(backend, entryIn, more);
    return {backend, report, coldMs, warmMs, attacks: await attacked(backend, groups)};
  } finally {
    await cold.close();
  }
}

/** By an ordinary user, if one has access to the backend. */
async function attacked(backend: SandboxBackendName, groups: readonly string[]): Promise<Verdict | undefined> {
  const facts = attackedBackends[backend];
  if (facts === undefined) return undefined;
  const {oneIn} = effortFor(backend);
  const attacks = selectAttacks({groups, quick: true, ...(groups.length === 0 && {oneIn})});
  const isOrdinary = facts.needsRoot !== true && process.getuid?.() === 0;
  const user = isOrdinary ? {name: 'user', uid: nobody} : {name: 'this user', uid: undefined};
  return judgeRun(await makeAttacks({backend, user, attacks}), false);
}

function effortFor(backend: SandboxBackendName): typeof usual | typeof slow {
  return attackedBackends[backend]?.startsSlowly === true ? slow : usual;
}

async function warmMedian(
  backend: SandboxBackendName,
  entryIn: Parameters<typeof openSandboxCall>[1],
  more: Parameters<typeof openSandboxCall>[2],
): Promise<number | undefined> {
  const call = await openSandboxCall({backend, warm: {}}, entryIn, {...more, warm: {packHash: 'sha256:1'}});
  try {
    await call.run();
    if ((call.sandbox.warmPool()?.misses ?? 0) === 0) return undefined;
    return await median(effortFor(backend).samples, call.run, async () => {
      while ((call.sandbox.warmPool()?.spares ?? 0) === 0) await delay(10);
    });
  } finally {
    await call.close();
  }
}

async function median(samples: number, run: () => Promise<void>, before?: () => Promise<void>): Promise<number> {
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
