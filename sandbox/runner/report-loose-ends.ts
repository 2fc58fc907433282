// Reports how a handler ended outside of its own call: by an error that it did not await, or by `process.exit`. Without this, the host
// would see only that the process ended.
import type {ToolOutput} from '@lumenflow/schemas';

export interface RunningCall {
  /** Whether the handler runs and has not been answered. */
  isOpen(): boolean;
  /** Sends the answer, and ends the process. */
  endWith(output: ToolOutput): void;
  /** Sends the answer synchronously, because the process is ending. */
  endNow(output: ToolOutput): void;
}

export function reportLooseEnds(call: RunningCall): void {
  for (const event of ['unhandledRejection', 'uncaughtException'] as const) {
    process.on(event, (thrown: unknown) => {
      // Node would print it too.
      process.stderr.write(`${describe(thrown)}\n`);
      if (call.isOpen()) call.endWith(loose(thrown));
      else process.exit(1);
    });
  }
  process.on('exit', (code) => {
    if (!call.isOpen()) return;
    const {stack = ''} = new Error(`process.exit(${code})`);
    const message = `the handler called \`process.exit(${code})\` before it returned a result`;
    call.endNow(failed('TOOL_CRASHED', message, {stack, exit_code: code}));
  });
}

function loose(thrown: unknown): ToolOutput {
  const isError = thrown instanceof Error;
  const message = isError && thrown.message !== '' ? thrown.message : describe(thrown);
  return failed(
    'TOOL_EXECUTION_FAILED',
    `an error outside the call; is an \`await\` missing? ${message}`,
    isError && thrown.stack !== undefined ? {stack: thrown.stack} : undefined,
  );
}

function describe(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.name) : String(thrown);
}

function failed(code: string, message: string, details?: Record<string, unknown>): ToolOutput {
  return {success: false, error: {code, message, ...(details && {details})}};
}
