// What calls of servers go through besides: they wait for their turn, are repeated if that is safe, and are refused while their
// server keeps ending.
import type {DispatchOutcome, DispatchRequest} from '@lumenflow/kernel';
import type {ProcessRegistry} from '@lumenflow/kernel/adapters';
import {createCircuits, serverEnded} from '../upstream-mcp/index.ts';
import {createSerialCalls} from './serial-calls.ts';

export interface ServerCalls {
  /** `call` runs the call, within as many milliseconds. */
  run(
    request: ServerRequest,
    timeoutMs: number,
    call: (timeoutMs: number) => Promise<DispatchOutcome>,
  ): Promise<DispatchOutcome>;
  /** Rejects queued calls; resolves when the last call is over. */
  close(): Promise<void>;
}

type ServerRequest = Pick<DispatchRequest, 'tool' | 'signal' | 'session_id' | 'run_id' | 'onLog'>;

export interface ServerCallsOptions {
  readonly workspaceRoot: string;
  readonly processes: ProcessRegistry;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}

export function createServerCalls({now = () => performance.now(), ...options}: ServerCallsOptions): ServerCalls {
  const serial = createSerialCalls(options);
  const circuits = createCircuits(now);
  return {
    async run(request, timeoutMs, call) {
      const {pin} = request.tool.pack;
      if (pin.source !== 'mcp') return await call(timeoutMs);
      const refusal = circuits.refusal(pin.id);
      if (refusal !== undefined) return {output: refusal};
      return await serial.run(request, timeoutMs, async () => {
        const deadline = now() + timeoutMs;
        const first = await call(timeoutMs);
        const left = deadline - now();
        const outcome = mayRepeat(request, first) && left > 0 ? await repeat(request, first, () => call(left)) : first;
        circuits.record(pin.id, outcome.output);
        return outcome;
      });
    },
    close: () => serial.close(),
  };
}

/** The server may have done its work before it ended, so only a tool that says so is called twice. */
function mayRepeat({tool, signal}: ServerRequest, {output}: DispatchOutcome): boolean {
  return tool.declaration.idempotent === true && serverEnded(output) && signal?.aborted !== true;
}

async function repeat(
  {onLog}: ServerRequest,
  {output, held, afterCall}: DispatchOutcome,
  call: () => Promise<DispatchOutcome>,
): Promise<DispatchOutcome> {
  onLog({level: 'warn', message: `the tool is idempotent, so it is called again: ${output.error?.message ?? ''}`});
  await held?.discard();
  afterCall?.();
  return await call();
}
