// A thread that ends its process when the parent of the process has ended: an expression keeps the main thread from noticing it.
import {workerData} from 'node:worker_threads';

const checkMs = 250;

setInterval(() => {
  if (process.ppid !== workerData) process.kill(process.pid, 'SIGKILL');
}, checkMs);
