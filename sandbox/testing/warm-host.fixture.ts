// A program for tests: a host with waiting spares, with a network and without. It prints its processes, then stays or exits.
import {setTimeout as delay} from 'node:timers/promises';
import {descendantsOf} from '../limits/process-tree.ts';
import {networkObstacle} from './network-bench.fixture.ts';
import {createBench, type Call} from './sandbox-bench.fixture.ts';

const bench = await createBench({warm: {}});
const networks: readonly Call[] = networkObstacle() === undefined ? [{allow: ['api.test:1']}, {}] : [{}];
for (const network of networks) {
  await bench.run(bench.handler('return 1;'), {...network, request: {warm: {packHash: 'sha256:1'}}});
}
do await delay(20);
while (bench.sandbox.warmPool()?.starting !== 0);
process.stdout.write(JSON.stringify({folder: bench.folder, pids: descendantsOf(process.pid)}));
if (process.argv[2] === 'stay') setInterval(() => undefined, 1000);
