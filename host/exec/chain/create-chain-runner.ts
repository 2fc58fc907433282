// Runs a chain: each step is a call like any other, decided and recorded alone. The chain itself adds only the flow of values.
import type {CompiledWorkspace} from '@lumenflow/kernel';
import type {ChainLimits, ChainResult, ChainStep, ToolFailure} from '@lumenflow/schemas';
import type {Discovery} from '../create-discovery.ts';
import type {RunOptions} from '../run-tool.ts';
import {checkChain, type ChainProblem} from './check-chain.ts';
import {ChainRun} from './chain-run.ts';
import type {RunStep} from './run-step.ts';

export interface ChainOptions extends Pick<RunOptions, 'signal'> {
  /** Lowers the limits of the chain. */
  readonly limits?: ChainLimits | undefined;
  /** Receives the progress of each tool, with the index of its step. */
  on_progress?: ((payload: unknown, step: number) => void) | undefined;
}

/** A `KernelRuntime`. */
interface ChainSource {
  readonly workspace: Pick<CompiledWorkspace, 'tools' | 'renamed'>;
}

export type RunChain = (steps: readonly ChainStep[], options?: ChainOptions) => Promise<ChainResult>;

export function createChainRunner(run: RunStep, discovery: Discovery, runtime: ChainSource): RunChain {
  return async (steps, {limits, ...options} = {}) => {
    const chain = {steps, ...(limits && {limits})};
    const problems = checkChain(chain);
    const found = problems.length > 0 ? problems : await unknownTools(steps, discovery, runtime);
    if (found.length > 0) return {value: null, steps: [], duration_ms: 0, error: invalid(found)};
    return await new ChainRun(run, chain, options).run();
  };
}

/** A tool that policy denies is called anyway, so that the refusal is recorded. */
async function unknownTools(
  steps: readonly ChainStep[],
  {getToolDoc}: Discovery,
  {workspace}: ChainSource,
): Promise<readonly ChainProblem[]> {
  const problems: ChainProblem[] = [];
  for (const [index, {tool}] of steps.entries()) {
    const [name = tool] = tool.split('@', 1);
    if (workspace.tools.has(name) || workspace.renamed.has(name)) continue;
    const doc = await getToolDoc(name, {level: 'summary'});
    if (!doc.ok) problems.push({pointer: `/steps/${index}/tool`, message: doc.problem.message});
  }
  return problems;
}

function invalid(problems: readonly ChainProblem[]): ToolFailure {
  const lines = problems.map(({pointer, message}) => `${pointer}: ${message}`);
  return {
    code: 'INVALID_INPUT',
    message: `the chain was not started: ${lines.join('; ')}`,
    details: {problems: [...problems]},
  };
}
