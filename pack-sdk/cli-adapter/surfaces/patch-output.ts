// `process.stdout`, `process.stderr` and the console write to the run's captured streams, which are not terminals.
import type {CliRun} from '../run/cli-run.ts';
import type {Patches} from './patches.ts';

const ofTerminals = ['isTTY', 'columns', 'rows', 'getColorDepth', 'hasColors', 'getWindowSize'] as const;

export function patchOutput(patches: Patches): void {
  patchStream(patches, process.stdout, 1);
  patchStream(patches, process.stderr, 2);
  for (const key of Object.keys(console)) {
    if (key === 'Console') continue;
    patches.intercept(console, key, ({run, args, proceed}) => {
      const method: unknown = Reflect.get(run.console, key);
      return typeof method === 'function' ? Reflect.apply(method, run.console, args) : proceed();
    });
  }
}

// The stream stays the same object: modules keep it from one run to the next.
function patchStream({intercept, substitute}: Patches, stream: NodeJS.WriteStream, fd: 1 | 2): void {
  const captured = (run: CliRun): NodeJS.WritableStream => run.output[fd].stream;
  intercept(stream, 'write', ({run, args}) => Reflect.apply(captured(run).write, captured(run), args));
  intercept(stream, 'end', ({run, args}) => {
    // A stream that pipes into it waits for this.
    captured(run).once('finish', () => stream.emit('finish'));
    Reflect.apply(captured(run).end, captured(run), args);
    return stream;
  });
  intercept(stream, 'destroy', () => stream);
  for (const key of ofTerminals) if (key in stream) substitute(stream, key, () => undefined);
}
