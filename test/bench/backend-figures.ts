// What each backend adds to the mechanism that it uses: containers against the engine's own, in one run. What is absent is skipped.
import type {SandboxBackendName} from '@lumenflow/schemas';
import {spawnSync} from 'node:child_process';
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {runEngine} from '../support/run-engine.ts';
import {bubblewrapFigures} from './bubblewrap-figures.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import {openEngineContainers, type EngineContainers} from './engine-containers.ts';
import type {Figure} from './figure.ts';
import {openGvisorContainers} from './gvisor-containers.ts';
import {openSandboxCall} from './open-sandbox-call.ts';
import {oneByOne} from './samplers.ts';
import {servedBySpares} from './served-by-spares.ts';
import {wasmFigures} from './wasm-figures.ts';

/** Of the images that LumenFlow builds. */
const imageLabel = 'dev.lumenflow.runner';
/** Engines whose API the baseline speaks. */
const engineNames = ['docker', 'podman'] as const;
type EngineName = (typeof engineNames)[number];
const programs: Readonly<Record<EngineName | 'gvisor', string>> = {
  docker: 'dockerd',
  podman: 'podman',
  gvisor: 'runsc',
};

export async function* backendFigures(effort: Effort): AsyncGenerator<Figure> {
  if (!effort.long) {
    effort.report('skipped backends: --quick measures nothing that takes minutes');
    return;
  }
  yield* bubblewrapFigures(effort);
  yield* wasmFigures(effort);
  for (const name of engineNames) {
    const obstacle = obstacleTo(name);
    if (obstacle === undefined) yield* engineFigures(name, effort);
    else effort.report(`skipped ${name}: ${obstacle}`);
  }
  const obstacle = obstacleTo('gvisor');
  if (obstacle === undefined) yield* containerFigures({backend: 'gvisor', open: openGvisorContainers}, effort);
  else effort.report(`skipped gvisor: ${obstacle}`);
}

function obstacleTo(name: EngineName | 'gvisor'): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can start it here';
  const isInstalled = spawnSync(programs[name], ['--version']).error === undefined;
  return isInstalled ? undefined : `\`${programs[name]}\` is missing: npm run engines -- ${name}`;
}

async function* engineFigures(backend: EngineName, effort: Effort): AsyncGenerator<Figure> {
  const {socket, end} = await runEngine(backend);
  try {
    const open = async (): Promise<EngineContainers> => await openEngineContainers(socket, imageLabel);
    yield* containerFigures({backend, open, options: {[backend]: {socket}}}, effort);
  } finally {
    await end();
  }
}

interface Measured {
  readonly backend: SandboxBackendName;
  readonly options?: object;
  open(): Promise<EngineContainers>;
}

async function* containerFigures({backend, options, open}: Measured, effort: Effort): AsyncGenerator<Figure> {
  const more = options && {backendOptions: options};
  const cold = await openSandboxCall({backend}, writeHandler, more);
  const warm = await openSandboxCall({backend, warm: {}}, writeHandler, {...more, warm: {packHash: 'sha256:1'}});
  try {
    // Builds the image, which the baseline uses too.
    await cold.run();
    const own = await open();
    try {
      const [calls, warmCalls] = [operations(effort, 3), operations(effort, 5)];
      yield await compare({
        id: `backends.${backend}_cold`,
        title: `cold call under ${backend}`,
        unit: 'ms',
        runs: effort.runs,
        sample: oneByOne(calls, cold.run),
        baseline: {
          title: 'a container of a Node that imports a module: created, started, awaited, removed',
          sample: oneByOne(calls, own.runOnce),
        },
        bar: {of: 'ratio', limit: 1.3},
      });
      yield await compare({
        id: `backends.${backend}_warm`,
        title: `warm call under ${backend}`,
        unit: 'ms',
        runs: effort.runs,
        sample: servedBySpares(warmCalls, warm.sandbox, warm.run),
        baseline: {title: '`/bin/true` executed in a running container', sample: oneByOne(warmCalls, own.exec)},
        bar: {of: 'difference', limit: 15},
      });
    } finally {
      await own.close();
    }
  } finally {
    await Promise.all([cold.close(), warm.close()]);
  }
}

function writeHandler(folder: string): string {
  const path = join(folder, 'handler.mjs');
  writeFileSync(path, 'export async function run() { return 1; }\n');
  return `${path}#run`;
}
