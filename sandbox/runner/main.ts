// The program inside every sandbox: takes an invocation from descriptor 3, runs its handler, answers, and waits to be ended. The
// arguments of a spare say so, and name the handler to prepare, if any. It is bundled to one file and imports next to nothing,
// because a cold call pays for each import.
import {fstatSync, writeSync} from 'node:fs';
import {Socket} from 'node:net';
import {invoke, loadHandler, type WaitingPlace} from '@lumenflow/pack-sdk/invoke';
import {createFrameDecoder, encodeFrame} from '@lumenflow/pack-sdk/wire';
import type {Invocation, ToolOutput, WireMessage} from '@lumenflow/schemas';
import {createExec} from './exec.ts';
import {importModule} from './import-module.ts';
import {loadBuiltins} from './load-builtins.ts';
import {reportLooseEnds} from './report-loose-ends.ts';

const wireFd = 3;
/** A named pipe goes one way: then there is another one for the answers. */
const isOneWay = fstatSync(wireFd).isFIFO();
const outFd = isOneWay ? 4 : wireFd;
/** The host distinguishes them only in its logs; 64 and up as in sysexits.h. */
const protocolExit = 76;

const wire = new Socket({fd: wireFd, readable: true, writable: !isOneWay});
const out = isOneWay ? new Socket({fd: outFd, readable: false, writable: true}) : wire;
let listener: ((message: WireMessage) => void) | undefined;
let isBusy = false;
let isLoaded = false;
/** The answer was sent because the handler ended outside of its call. */
let isOver = false;

const decode = createFrameDecoder({onMessage: receive, onProblem: giveUp});
wire.on('data', decode);
// The host has exited or expects nothing more, so there is no one to report to.
wire.on('close', () => process.exit(protocolExit));
for (const end of new Set([wire, out])) end.on('error', (error) => giveUp(error.message));

function receive(message: WireMessage): void {
  if (message.type === 'invoke') {
    if (isBusy) return giveUp('a second invocation');
    isBusy = true;
    void answer(message.invocation);
  } else listener?.(message);
}

async function answer(invocation: Invocation): Promise<void> {
  const channel = {
    send: (message: WireMessage): void => void out.write(encodeFrame(message)),
    onMessage: (next: (message: WireMessage) => void): void => void (listener = next),
  };
  const output = await invoke(invocation, {
    channel,
    exec: createExec(invocation.workspace_root),
    importModule,
    onLoaded() {
      // Later calls run a handler of the same module.
      if (!isLoaded) channel.send({type: 'loaded'});
      isLoaded = true;
    },
  });
  await Promise.all([printed(process.stdout), printed(process.stderr)]);
  if (isOver) return;
  // A host that keeps this sandbox may send the next one as soon as it has this answer.
  isBusy = false;
  out.write(frameOf(output));
}

async function beReady(kind?: string, handlerEntry?: string, network?: string): Promise<void> {
  if (kind === 'spare') await loadBuiltins();
  // A problem with the handler is reported by its first call.
  if (handlerEntry !== undefined)
    await prepare(handlerEntry, network as WaitingPlace['network']).catch(() => undefined);
  out.write(encodeFrame({type: 'ready'}));
}

async function prepare(handlerEntry: string, network: WaitingPlace['network']): Promise<void> {
  const handler = await loadHandler(handlerEntry, importModule);
  await handler.prepare?.({network});
}

reportLooseEnds({
  isOpen: () => isBusy && !isOver,
  endWith(output) {
    isOver = true;
    out.write(frameOf(output), () => process.exit(1));
  },
  endNow(output) {
    isOver = true;
    // A frame must not start within another one.
    if (out.writableLength === 0) writeSync(outFd, frameOf(output));
  },
});
void beReady(...process.argv.slice(2));

/** Resolves once the output of the handler has left this process; an exit would truncate it. */
function printed(stream: NodeJS.WriteStream): Promise<void> {
  if (!(stream instanceof Socket) || stream.writableLength === 0) return Promise.resolve();
  // Not the stream's own `write`, which a handler may have replaced.
  return new Promise((resolve) => Socket.prototype.write.call(stream, '', 'utf8', () => resolve()));
}

/** Replaces an output that is too large for a frame with an error. */
function frameOf(output: ToolOutput): Uint8Array {
  try {
    return encodeFrame({type: 'result', output});
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `the output exceeds the limit of one answer (${reason}): write the data to a file, and return its path`;
    return encodeFrame({type: 'result', output: {success: false, error: {code: 'LIMIT_EXCEEDED', message}}});
  }
}

function giveUp(problem: string): void {
  process.stderr.write(`lumenflow runner: ${problem}\n`);
  process.exit(protocolExit);
}
