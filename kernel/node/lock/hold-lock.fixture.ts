// A process that takes the lock of a folder, says so, and keeps it: it never leaves the critical section.
import {createProcessRegistry} from './process-registry.ts';
import {WorkspaceLock} from './workspace-lock.ts';

const processes = createProcessRegistry();
const lock = new WorkspaceLock({folder: process.argv[2] ?? '', processes});
await lock.enter();
process.stdout.write(`${processes.processId}\n`);
setInterval(() => undefined, 1_000);
