// A process that, with others, counts up the number in a file: only mutual exclusion keeps every count.
import {readFileSync, writeFileSync} from 'node:fs';
import {createProcessRegistry} from './process-registry.ts';
import {WorkspaceLock} from './workspace-lock.ts';

const [, , folder = '', file = '', times = '0'] = process.argv;
const lock = new WorkspaceLock({folder, processes: createProcessRegistry()});
for (let time = 0; time < Number(times); time += 1) {
  await lock.enter();
  const count = Number(readFileSync(file, 'utf8'));
  // Others get their chance to do wrong.
  if (time % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
  writeFileSync(file, String(count + 1));
  lock.leave();
}
lock.close();
