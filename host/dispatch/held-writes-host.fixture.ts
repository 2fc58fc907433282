// A host process of its own that makes one transactional call after the other, to be killed in the middle of one.
// Arguments: the workspace root, the script of each call.
import {openHeldWritesBench} from './held-writes.fixture.ts';

const [root = '', script = ''] = process.argv.slice(2);
const bench = openHeldWritesBench(root);
const {output} = await bench.call(script, 'docs/**');
process.stdout.write(`${JSON.stringify(output)}\n`);
await bench.close();
