// A host process of its own that makes one call, to be killed in the middle of it or to be run as another user.
// Arguments: the workspace root, a shell script, the pattern that it may write to, how it writes, a handler, write limits, the script of a call
// that this call makes.
import type {ResourceLimits} from '@lumenflow/schemas';
import {openHeldWritesBench} from './held-writes.fixture.ts';

const [root = '', script = '', pattern = 'docs/**', writes = '', handler = 'shell', limits = '{}', nested = ''] =
  process.argv.slice(2);
const bench = openHeldWritesBench(root);
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
