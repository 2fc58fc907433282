// A host process of its own that makes one call, to be killed in the middle of it or to be run as another user.
// Arguments: the workspace root, a shell script, the pattern that it may write to, how it writes.
import {openHeldWritesBench} from './held-writes.fixture.ts';

const [root = '', script = '', pattern = 'docs/**', writes = 'transactional'] = process.argv.slice(2);
const bench = openHeldWritesBench(root);
const {output, enforcement} = await bench.run({
  input: {script},
  patterns: [pattern],
  writes: writes === 'direct' ? 'direct' : 'transactional',
});
process.stdout.write(`${JSON.stringify({output, degraded: enforcement?.degraded ?? []})}\n`);
await bench.endHost();
