// A backend's engine for as long as work needs it. Only root can start one here; without it the backend is absent.
import {spawnSync} from 'node:child_process';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {engineNames, runEngine, type EngineName, type RunningEngine} from '../support/run-engine.ts';

const programs: Readonly<Record<EngineName, string>> = {docker: 'dockerd', podman: 'podman', containerd: 'containerd'};

export async function withEngine<T>(
  backend: SandboxBackendName,
  work: (engine: RunningEngine | undefined) => Promise<T>,
): Promise<T> {
  const name = engineNames.find((engine) => engine === backend);
  const engine = name && canStart(name) ? await runEngine(name) : undefined;
  try {
    return await work(engine);
  } finally {
    await engine?.end();
  }
}

function canStart(engine: EngineName): boolean {
  return process.getuid?.() === 0 && spawnSync(programs[engine], ['--version']).error === undefined;
}
