#!/usr/bin/env node
// The program `lumenflow`: runs the command line.
import {runProgram} from './cli/program.ts';
import {onOutputErrors} from './cli/terminal/on-output-errors.ts';

const interrupted = new AbortController();
for (const [name, number] of [
  // The terminal was closed.
  ['SIGHUP', 1],
  ['SIGINT', 2],
  ['SIGTERM', 15],
] as const) {
  process.on(name, () => {
    // The first signal requests a clean shutdown; the second ends the process immediately.
    if (interrupted.signal.aborted) process.exit(128 + number);
    interrupted.abort(new Error(name));
  });
}
let isOutputLost = false;
onOutputErrors(process, () => {
  isOutputLost = true;
});
// Errors of writing can arrive after the command has ended.
process.on('exit', () => {
  if (isOutputLost && !process.exitCode) process.exitCode = 1;
});

process.exitCode = await runProgram(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  cwd: process.cwd(),
  env: process.env,
  signal: interrupted.signal,
});
