// What happens when the program cannot write its output: a full disk is a failure, a reader that has gone away is not.
import {cleanText} from '../rendering/clean-text.ts';

interface Streams {
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** Calls `fail` once an error means that output was lost. */
export function onOutputErrors({stdout, stderr}: Streams, fail: () => void): void {
  let isReported = false;
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader may close the pipe early, as `head` does.
    if (error.code === 'EPIPE') return;
    fail();
    if (isReported) return;
    isReported = true;
    stderr.write(`✘ ${error.code ?? 'INTERNAL'}  the output could not be written: ${cleanText(error.message)}\n`);
  });
  stderr.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') fail();
  });
}
