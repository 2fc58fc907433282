// Runs one command and waits for it; the preparation's own output stays on stderr so that stdout belongs to the program started after it.
import {spawn, spawnSync} from 'node:child_process';
import {accessSync, constants} from 'node:fs';
import {constants as os} from 'node:os';
import {delimiter, join} from 'node:path';

/** The folder of the checkout: every command of these scripts runs there, wherever the script was called from. */
export const repository = join(import.meta.dirname, '..');

/** Prints one line of progress. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** Says what is wrong and what to do, then ends the program with `exitCode`. */
export function fail(line, exitCode = 1) {
  say(`\n${line}`);
  process.exit(exitCode);
}

/** Runs a preparing command with both its streams on stderr. Returns its exit code; 127 when it could not be started. */
export function runQuietly(command, args, env = process.env) {
  const done = spawnSync(command, args, {cwd: repository, stdio: ['ignore', 2, 2], env});
  return done.status ?? 127;
}

/** Runs a program in the foreground, passing signals on. Resolves to the exit code a shell would report. */
export function runForeground(command, args, env = process.env) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {cwd: repository, stdio: 'inherit', env});
    // A terminal sends Ctrl-C to the whole process group: the child ends itself, and this process waits for its exit code.
    const wait = () => {};
    const passOn = (signal) => child.kill(signal);
    process.on('SIGINT', wait);
    for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, passOn);
    child.once('error', reject);
    child.once('close', (code, signal) => {
      process.off('SIGINT', wait);
      for (const name of ['SIGTERM', 'SIGHUP']) process.off(name, passOn);
      resolve(code ?? 128 + os.signals[signal]);
    });
  });
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Whether PATH contains a program of this name. */
export function isOnPath(program) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && isExecutable(join(folder, program)));
}
