// Runs the tools of packs that are programs. Their calls are nested calls of the tool's call, which is the unit that is recorded.
import type {Dispatcher} from '@lumenflow/kernel';
import {createSandboxQueue} from '../../../dispatch/sandbox-queue.ts';
import {runProgramTool} from './run-program-tool.ts';

/** Programs at once, for each depth of nesting. */
const programsMax = 16;

/** A dispatcher that also runs programs. */
export function withPrograms<D extends Dispatcher>(dispatcher: D): D {
  const queue = createSandboxQueue(programsMax);
  return {
    ...dispatcher,
    modeOf: (tool, writes) => (tool.program === undefined ? dispatcher.modeOf(tool, writes) : 'pool'),
    async dispatch(call) {
      const {reach, depth, signal, tool} = call;
      if (tool.program === undefined || reach === undefined) return await dispatcher.dispatch(call);
      const text = tool.program;
      const timeoutMs = tool.declaration.timeout_ms ?? 60_000;
      return await queue.run({timeoutMs, depth, ...(signal && {signal})}, async () => ({
        output: await runProgramTool(call, {text, reach, timeoutMs}),
      }));
    },
    async close() {
      await Promise.all([queue.close(), dispatcher.close()]);
    },
  };
}
