// Tries what a thread enforces on this machine, with small modules: each attempts something that it must not be able to do. The last
// one is killed; the others leave a thread that is ready for calls.
import {rm, writeFile} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {Guarantee, ProbeReport, Strength} from '../../backends/probe-report.ts';
import {makeOwnedFolder} from '../../backends/leftover-folders.ts';
import {tierOf, type Guarantees} from '../../backends/security-tier.ts';
import {attempts} from './attempts.ts';
import {runAttempt, type ServeModule} from './run-attempt.ts';

export const probeFolderKind = 'lumenflow-wasm';

/** What no attempt proves is unsupported. */
const none: Guarantees = {
  filesystem: 'unsupported',
  trusted_files: 'unsupported',
  network_off: 'unsupported',
  network_allowlist: 'unsupported',
  network_full: 'unsupported',
  processes: 'unsupported',
  environment: 'unsupported',
  system_calls: 'unsupported',
  kernel: 'unsupported',
  wall_time: 'unsupported',
  cpu_time: 'unsupported',
  memory: 'unsupported',
  process_count: 'unsupported',
  open_files: 'unsupported',
  file_size: 'unsupported',
  output: 'unsupported',
};

export async function probeWasm(backend: string, serve: ServeModule): Promise<ProbeReport> {
  const folder = await makeOwnedFolder(tmpdir(), probeFolderKind);
  const proven: Partial<Record<Guarantee, Strength>> = {};
  try {
    for (const [index, attempt] of attempts.entries()) {
      const path = join(folder, `${index}.wasm`);
      await writeFile(path, attempt.module);
      const outcome = await runAttempt(attempt, path, serve);
      const proofs = Object.entries(attempt.proves) as [Guarantee, (typeof attempt.proves)[Guarantee]][];
      for (const [guarantee, isPrevented] of proofs) {
        if (isPrevented?.(outcome) === true) proven[guarantee] = 'enforced';
      }
    }
  } finally {
    await rm(folder, {recursive: true, force: true});
  }
  // The compiler's own memory is bounded by the shape of functions, and not measured.
  if (proven.memory !== undefined) proven.memory = 'best_effort';
  const guarantees: Guarantees = {...none, ...proven};
  const version = `V8 ${process.versions.v8}`;
  return {available: true, backend, tier: tierOf(guarantees), version, guarantees, gaps: []};
}
