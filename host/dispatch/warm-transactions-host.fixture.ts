// A test program: a host whose spares wait in views of the workspace. It prints its processes and keeps running.
import {execFileSync} from 'node:child_process';
import {openTransactionBench} from './transactional-writes.fixture.ts';

const bench = openTransactionBench(process.argv[2] ?? '', {warm: {}});
await bench.call('true');
if ((await bench.stocked()) === 0) throw new Error('no spare was started');
process.stdout.write(JSON.stringify({pids: descendants(process.pid)}));
setInterval(() => undefined, 1000);

function descendants(pid: number): readonly number[] {
  const children = execFileSync('sh', ['-c', `cat /proc/${pid}/task/*/children`], {encoding: 'utf8'})
    .split(' ')
    .filter(Boolean)
    .map(Number);
  return children.flatMap((child) => (isThere(child) ? [child, ...descendants(child)] : []));
}

function isThere(pid: number): boolean {
  try {
    execFileSync('test', ['-d', `/proc/${pid}/task`]);
    return true;
  } catch {
    // Exclude the shell that listed them.
    return false;
  }
}
