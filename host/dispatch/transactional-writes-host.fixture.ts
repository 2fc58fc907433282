// A separate host process that makes one call, for tests that kill it during the call or run it as another user. Arguments: the
// workspace root, a shell script, its write pattern, the write mode, a handler, write limits, and the script of a nested call.
import type {ResourceLimits} from '@lumenflow/schemas';
import {openTransactionBench} from './transactional-writes.fixture.ts';

const [root = '', script = '', pattern = 'docs/**', writes = '', handler = 'shell', limits = '{}', nested = ''] =
  process.argv.slice(2);
const bench = openTransactionBench(root);
const {output, changes, enforcement} = await bench.run({
  handler,
  input: nested === '' ? {script} : {first: script, last: 'cat docs/a'},
  receiptId: 'rcp-caller',
  others: async () => {
    const {output: made} = await bench.run({input: {script: nested}, patterns: [pattern], caller: 'rcp-caller'});
    if (!made.success) throw new Error(made.error?.message);
  },
  declared: {limits: JSON.parse(limits) as ResourceLimits},
  patterns: [pattern],
  writes: writes === 'direct' ? 'direct' : 'transactional',
});
process.stdout.write(`${JSON.stringify({output, changes, degraded: enforcement?.degraded ?? []})}\n`);
await bench.endHost();
