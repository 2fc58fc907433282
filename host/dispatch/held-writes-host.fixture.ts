// A host process of its own that makes one call, to be killed in the middle of it or to be run as another user.
// Arguments: the workspace root, a shell script, the pattern that it may write to, how it writes, a handler, write limits.
import type {ResourceLimits} from '@lumenflow/schemas';
import {openHeldWritesBench} from './held-writes.fixture.ts';

const [root = '', script = '', pattern = 'docs/**', writes = '', handler = 'shell', limits = '{}'] =
  process.argv.slice(2);
const bench = openHeldWritesBench(root);
const {output, changes, enforcement} = await bench.run({
  handler,
  input: {script},
  declared: {limits: JSON.parse(limits) as ResourceLimits},
  patterns: [pattern],
  writes: writes === 'direct' ? 'direct' : 'transactional',
});
process.stdout.write(`${JSON.stringify({output, changes, degraded: enforcement?.degraded ?? []})}\n`);
await bench.endHost();
