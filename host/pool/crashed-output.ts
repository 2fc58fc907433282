// Explains why a thread ended during its call.
import type {ResourceLimits} from 'node:worker_threads';
import type {ToolOutput} from '@lumenflow/schemas';
import {failedOutput} from './failed-output.ts';

export function crashedOutput(error: unknown, limits: ResourceLimits): ToolOutput {
  if (!(error instanceof Error))
    return failedOutput('TOOL_CRASHED', `the handler threw outside its call: ${String(error)}`);
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') {
    const limit = limits.maxOldGenerationSizeMb;
    return failedOutput('TOOL_CRASHED', `the handler ran out of memory${limit === undefined ? '' : ` (${limit} MiB)`}`);
  }
  const exit = /^worker exited with code: (-?\d+)$/.exec(error.message);
  if (exit !== null) return failedOutput('TOOL_CRASHED', `the handler ended its thread with exit code ${exit[1]}`);
  const details = error.stack === undefined ? undefined : {stack: error.stack};
  return failedOutput('TOOL_CRASHED', `the handler threw outside its call: ${error.message}`, details);
}
