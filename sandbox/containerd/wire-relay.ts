// The wire of a call whose container has its own kernel. A named pipe does not lead from one kernel to another: the pipes of the host
// are the streams of two processes inside, between which pipes of that kernel carry the wire.
import type {RequestParts} from '../engine/launch-with-pipes.ts';
import {pipeNames} from '../engine/wire-pipes.ts';
import {pipesInside, type FirstCommandInput} from '../engine/first-command.ts';
import type {TaskStreams} from './containerd-api.ts';

const [fromHost, toHost, done] = [pipeNames.fromHost, pipeNames.toHost, 'done'].map((name) => `${pipesInside}/${name}`);
/** Both processes run it: the second one finds the pipes. */
const makePipes = `mkfifo -m 600 ${fromHost} ${toHost} ${done}`;

/** The command of the first process, as `firstCommand`. It waits until the other one has carried all that was sent. */
export function relayedCommand({mark, unwanted, argv, withWire}: FirstCommandInput): readonly string[] {
  const script = [
    'unset $1',
    'shift',
    'exec 5>&2 2>/dev/null',
    ...(withWire ? [makePipes] : []),
    `"$@" 2>&5 5>&-${withWire ? ` 3<${fromHost} 4>${toHost}` : ''}`,
    'status=$?',
    ...(withWire ? [`read -r _ <${done}`] : []),
    'exit $status',
  ].join('\n');
  return ['/bin/sh', '-c', script, mark, unwanted.join(' '), ...argv];
}

/** The command of the second process. The pipes have no names any more when the program begins to send. */
export const relayCommand: readonly string[] = [
  '/bin/sh',
  '-c',
  [
    'exec 2>/dev/null',
    makePipes,
    `exec 3>${fromHost} 4<${toHost} 5<&0`,
    `rm ${fromHost} ${toHost}`,
    // In the background, a shell replaces its input.
    'cat <&5 >&3 4<&- &',
    'cat <&4 3>&-',
    `exec 1>&-`,
    `: >${done}`,
  ].join('\n'),
];

/** Of the two processes. */
export function relayedStreams({pipes}: Pick<RequestParts, 'pipes'>): {
  readonly first: TaskStreams;
  readonly relay: TaskStreams;
} {
  const path = (name: keyof typeof pipeNames): string => `${pipes}/${pipeNames[name]}`;
  return {
    first: {stdout: path('stdout'), stderr: path('stderr')},
    // The second process writes no messages. Some shims need all three.
    relay: {stdin: path('fromHost'), stdout: path('toHost'), stderr: path('stderr')},
  };
}
