// Loads a pack's factories from their bundled module in an isolate, whatever trust its pin sets: policy is evaluated during a
// call, so a `when` that hangs would hang the host. Returns checked rules and capabilities.
import {failed, type Outcome} from '@lumenflow/kernel';
import type {LoadedRule} from '@lumenflow/kernel/adapters';
import type {PackManifest} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {checkCapabilities, checkRules, type CapabilityData, type FactoryResults} from './check-factory-results.ts';
import type {FactoryName} from './factory-module.ts';
import type {Isolate, IsolateEngine} from './start-engine.ts';

export interface FactoriesRequest {
  /** Absolute path of the built factory module. */
  readonly file: string;
  readonly manifest: PackManifest;
  readonly config: unknown;
  /** Consumed by the load. */
  readonly engine: IsolateEngine;
}

export interface LoadedFactories {
  readonly rules: readonly LoadedRule[];
  readonly capabilities: CapabilityData;
  /** The problems, by factory. */
  readonly faults: readonly {readonly factory: FactoryName; readonly message: string}[];
  /** Ends the isolate; its rules throw from then on. */
  end(): void;
}

export async function loadFactories(request: FactoriesRequest): Promise<LoadedFactories> {
  const started = await start(request);
  if (!started.ok) return withFault(request.manifest, started.problem);
  const isolate = started.value;
  const {manifest} = request;
  const results = resultsOf(isolate.made);
  if (results === undefined) {
    isolate.end();
    return withFault(manifest, 'its factories returned text that is not JSON: they must not replace `JSON.stringify`');
  }
  const checked = manifest.policy_factory === undefined ? undefined : checkRules(results.rules, manifest);
  const asked =
    manifest.capability_factory === undefined ? undefined : checkCapabilities(results.capabilities, manifest);
  return {
    rules: (checked?.rules ?? []).map(({has_when: hasWhen, ...rule}, index) =>
      hasWhen ? {...rule, when: (context) => isolate.ask(index, context), is_timed: true} : rule,
    ),
    capabilities: asked?.capabilities ?? {},
    faults: [
      ...(checked?.faults ?? []).map((message) => ({factory: 'policy_factory' as const, message})),
      ...(asked?.faults ?? []).map((message) => ({factory: 'capability_factory' as const, message})),
    ],
    end: () => isolate.end(),
  };
}

/** A pack can replace what writes JSON in its engine, so the text can be anything. */
function resultsOf(made: string): FactoryResults | undefined {
  try {
    return Object(JSON.parse(made)) as FactoryResults;
  } catch {
    return undefined;
  }
}

async function start({file, config, engine}: FactoriesRequest): Promise<Outcome<Isolate, string>> {
  try {
    return await engine.load(await readFile(file, 'utf8'), config);
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function withFault(manifest: PackManifest, message: string): LoadedFactories {
  const factory: FactoryName = manifest.policy_factory === undefined ? 'capability_factory' : 'policy_factory';
  return {rules: [], capabilities: {}, faults: [{factory, message}], end: () => undefined};
}
