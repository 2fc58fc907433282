// A process that makes random calls until its input ends or it is killed. It prints `ready`, then a line of JSON for each
// acknowledgement. Arguments: kind of runtime, workspace, name, seed, callers, flags.
import type {Acknowledgement} from './acknowledgement.ts';
import {callAtRandom} from './call-at-random.ts';
import {openRuntime, runtimeKinds} from './open-crash-runtime.ts';
import {createRandom} from './random.ts';

const [, , kindName, root = '', name = '', seed = '0', callers = '1', ...flags] = process.argv;
const kind = [...runtimeKinds, 'postgres' as const].find((candidate) => candidate === kindName);
if (kind === undefined) throw new Error(`there is no kind of runtime \`${String(kindName)}\``);

let stopped = false;
process.stdin.resume().on('end', () => {
  stopped = true;
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const runtime = await openRuntime(kind, root);
say('"ready"');
await callAtRandom({
  runtime,
  random: createRandom(Number(seed)),
  name,
  callers: Number(callers),
  goesOn: () => !stopped,
  acknowledge: (reported: Acknowledgement) => say(JSON.stringify(reported)),
  refuse(message) {
    throw new Error(`the evidence is unavailable: ${message}`);
  },
  competes: flags.includes('competes'),
  slow: flags.includes('slow'),
});
await runtime.close();
