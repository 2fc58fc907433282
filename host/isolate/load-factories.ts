// Loads a pack's factories from their bundled module, in an isolate or, for a pin with trust in_process, natively,
// and gives their rules and capabilities checked.
import type {FactoryRule} from '@lumenflow/kernel';
import type {PackManifest} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {pathToFileURL} from 'node:url';
import {checkCapabilities, checkRules, type CapabilityData, type FactoryResults} from './check-factory-results.ts';
import type {FactoryModule, FactoryName} from './factory-module.ts';
import {startIsolate} from './start-isolate.ts';

export interface FactoriesRequest {
  /** Absolute path of the built factory module. */
  readonly file: string;
  readonly manifest: PackManifest;
  readonly config: unknown;
  readonly trust: 'sandboxed' | 'in_process';
}

export interface LoadedFactories {
  readonly rules: readonly FactoryRule[];
  readonly capabilities: CapabilityData;
  /** What is wrong, by the factory that did it. */
  readonly faults: readonly {readonly factory: FactoryName; readonly message: string}[];
  /** Ends the isolate; its rules throw from then on. */
  end(): void;
}

interface Running {
  readonly made: string;
  /** What is said of each `when`. */
  readonly timing?: Pick<FactoryRule, 'is_timed'>;
  ask(index: number, context: unknown): boolean;
  end(): void;
}

export async function loadFactories(request: FactoriesRequest): Promise<LoadedFactories> {
  const started = await start(request);
  if ('error' in started) return failed(request.manifest, started.error);
  const results = JSON.parse(started.made) as FactoryResults;
  const {manifest} = request;
  const checked = manifest.policy_factory === undefined ? undefined : checkRules(results.rules, manifest);
  const asked =
    manifest.capability_factory === undefined ? undefined : checkCapabilities(results.capabilities, manifest);
  return {
    rules: (checked?.rules ?? []).map(({has_when: hasWhen, ...rule}, index) =>
      hasWhen ? {...rule, when: (context) => started.ask(index, context), ...started.timing} : rule,
    ),
    capabilities: asked?.capabilities ?? {},
    faults: [
      ...(checked?.faults ?? []).map((message) => ({factory: 'policy_factory' as const, message})),
      ...(asked?.faults ?? []).map((message) => ({factory: 'capability_factory' as const, message})),
    ],
    end: () => started.end(),
  };
}

async function start(request: FactoriesRequest): Promise<Running | {readonly error: string}> {
  try {
    return request.trust === 'in_process'
      ? await startNatively(request.file, request.config)
      : {...(await startIsolate(await readFile(request.file, 'utf8'), request.config)), timing: {is_timed: true}};
  } catch (error) {
    return {error: error instanceof Error ? error.message : String(error)};
  }
}

async function startNatively(file: string, config: unknown): Promise<Running> {
  const module = (await import(pathToFileURL(file).href)) as FactoryModule;
  return {
    made: module.make(JSON.stringify(config)),
    ask: (index, context) => {
      const answer = module.ask(index, JSON.stringify(context));
      if (typeof answer === 'boolean') return answer;
      throw new Error(`\`when\` must answer true or false, not ${typeof answer}`);
    },
    end: () => undefined,
  };
}

function failed(manifest: PackManifest, message: string): LoadedFactories {
  const factory: FactoryName = manifest.policy_factory === undefined ? 'capability_factory' : 'policy_factory';
  return {rules: [], capabilities: {}, faults: [{factory, message}], end: () => undefined};
}
