// Runs a script in a process of its own, inside the same sandbox.
import {spawn} from 'node:child_process';

/** Within a run: the process has the run's arguments, environment and streams, as every child of a run. */
export async function runScriptProcess(path: string): Promise<void> {
  const child = spawn(process.execPath, [path, ...process.argv.slice(2)], {stdio: 'inherit'});
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', reject).once('close', (...end) => resolve(end));
  });
  if (signal !== null) process.kill(process.pid, signal);
  process.exitCode = code ?? 1;
}
