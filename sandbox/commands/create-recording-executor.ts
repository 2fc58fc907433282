// An executor for tests that starts nothing: it records the requested commands and answers as the test specifies. The suite of
// the real executor also covers its output, time and cancellation.
import {writeSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';
import {boundOutput} from './bounded-output.ts';
import type {CommandExecutor, ExecutorRunInput, ExecutorRunResult} from './command-executor.ts';

/** How a command goes that is left alone; all that is not given is empty, 0 or at once. */
export interface ScriptedRun {
  readonly stdout?: string | Uint8Array;
  readonly stderr?: string | Uint8Array;
  readonly exitCode?: number;
  readonly takesMs?: number;
}

export interface RecordingExecutor extends CommandExecutor {
  /** In the order they came; those that were cancelled before they began are not among them. */
  readonly runs: readonly ExecutorRunInput[];
}

export function createRecordingExecutor(
  script: (input: ExecutorRunInput) => ScriptedRun | Promise<ScriptedRun> = () => ({}),
): RecordingExecutor {
  const runs: ExecutorRunInput[] = [];
  return {
    runs,
    async run(input) {
      const {signal} = input;
      if (signal?.aborted === true) {
        const startError = `aborted before it was started: ${String(signal.reason)}`;
        return {...noOutput, exitCode: 126, aborted: true, startError};
      }
      runs.push(input);
      input.onPid?.(runs.length);
      const scripted = await script(input);
      return {...printed(scripted, input), ...(await ending(scripted, input))};
    },
  };
}

const noOutput: ExecutorRunResult = {
  stdout: '',
  stderr: '',
  exitCode: 0,
  timedOut: false,
  aborted: false,
  truncated: false,
  durationMs: 0,
};

function printed({stdout = '', stderr = ''}: ScriptedRun, {outputSink}: ExecutorRunInput): ExecutorRunResult {
  if (outputSink.kind === 'fd') {
    for (const output of [stdout, stderr]) writeSync(outputSink.fd, Buffer.from(output));
    return noOutput;
  }
  const [out, err] = [boundOutput(stdout, outputSink.maxBytes), boundOutput(stderr, outputSink.maxBytes)];
  return {...noOutput, stdout: out.text, stderr: err.text, truncated: out.truncated || err.truncated};
}

/** A command that is cut short ends by SIGTERM, as most do. */
const cutShort = {exitCode: 143, signal: 'SIGTERM'};

async function ending(
  {exitCode = 0, takesMs = 0}: ScriptedRun,
  {timeoutMs = Infinity, signal}: ExecutorRunInput,
): Promise<Partial<ExecutorRunResult>> {
  const durationMs = Math.min(takesMs, timeoutMs);
  const waited = delay(durationMs, undefined, signal && {signal});
  const aborted = await waited.then(() => false).catch(() => true);
  if (aborted) return {...cutShort, aborted};
  return takesMs > timeoutMs ? {...cutShort, durationMs, timedOut: true} : {exitCode, durationMs};
}
