// Ends the processes that an engine has started in its folder, and what these have started: shims and containers continue when the
// engine itself was killed.
import {readdirSync, readFileSync} from 'node:fs';
import {setTimeout as delay} from 'node:timers/promises';

const endMs = 10_000;
const lookMs = 20;

/** Returns the command lines of those that are left, which is none unless the kernel cannot end one. */
export async function endProcessesOf(folder) {
  const until = Date.now() + endMs;
  for (;;) {
    const left = processesOf(folder);
    if (left.length === 0 || Date.now() > until) return left.map(({command}) => command);
    for (const {pid} of left) kill(pid);
    await delay(lookMs);
  }
}

/** Those that name something in the folder, and all below them, except this one. */
function processesOf(folder) {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(lookAt);
  const below = ({pid}) => all.filter(({parent}) => parent === pid).flatMap((child) => [child, ...below(child)]);
  const named = all.filter(({pid, command}) => pid !== process.pid && command.includes(`${folder}/`));
  return [...new Set(named.flatMap((each) => [each, ...below(each)]))];
}

/** None if it has ended, or waits for its parent to notice. */
function lookAt(name) {
  try {
    const [, state, parent] = /\) (\S) (\d+) /.exec(readFileSync(`/proc/${name}/stat`, 'latin1')) ?? [];
    const command = readFileSync(`/proc/${name}/cmdline`, 'latin1').replaceAll('\0', ' ');
    return state === 'Z' ? [] : [{pid: Number(name), parent: Number(parent), command}];
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(error.code)) throw error;
    return [];
  }
}

function kill(pid) {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
