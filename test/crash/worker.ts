// A process that calls at random until it is told to stop, by the end of its input, or is killed. It writes a line of
// JSON for all it was told, and `ready` before. Arguments: kind of runtime, workspace, name, seed, callers, flags.
import type {Acknowledgement} from './acknowledgement.ts';
import {callAtRandom} from './call-at-random.ts';
import {openRuntime, runtimeKinds} from './open-crash-runtime.ts';
import {createRandom} from './random.ts';

const [, , kindName, root = '', name = '', seed = '0', callers = '1', ...flags] = process.argv;
const kind = runtimeKinds.find((candidate) => candidate === kindName);
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
  acknowledge: (told: Acknowledgement) => say(JSON.stringify(told)),
  refuse(message) {
    throw new Error(`the evidence is unavailable: ${message}`);
  },
  competes: flags.includes('competes'),
  slow: flags.includes('slow'),
});
await runtime.close();
