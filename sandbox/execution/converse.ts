// The host's end of the wire of one call. Messages are not trusted: each is checked in full, and the first invalid one ends this
// call only.
import type {Duplex} from 'node:stream';
import {createFrameDecoder, messageBounds} from '@lumenflow/pack-sdk/wire';
import type {Invocation, ToolOutput, WireMessage} from '@lumenflow/schemas';
import {validateWireMessage} from '@lumenflow/schemas/validators';
import {createFrameWriter} from './frame-writer.ts';

export type Verdict =
  | {readonly kind: 'output'; readonly output: ToolOutput}
  | {readonly kind: 'garbled'; readonly problem: string}
  /** A message contains more than an output may. */
  | {readonly kind: 'exceeded'; readonly exceeded: keyof typeof messageBounds}
  /** The wire closed before a result. */
  | {readonly kind: 'silent'};

export interface Conversation {
  /** Settles once; nothing is read afterwards. */
  readonly verdict: Promise<Verdict>;
  /** Whether the handler's module was imported. */
  isLoaded(): boolean;
  cancel(reason: string): void;
}

/** Resolves once the handler has taken the answer. `content`: what the value of a response contains as base64. */
export type Reply = (answer: WireMessage, content?: Uint8Array) => Promise<void>;
type Listener = (message: WireMessage, reply: Reply) => void;

/** Sends the invocation. Throws RangeError when it is too large for a frame. */
export function converse(wire: Duplex, invocation: Invocation, listener: Listener | undefined): Conversation {
  let over = false;
  let isLoaded = false;
  const writer = createFrameWriter(wire);
  const send: Reply = async (message, content) => {
    if (!over) await writer.send(message, content);
  };
  void writer.send({type: 'invoke', invocation});
  const verdict = new Promise<Verdict>((resolve) => {
    const settle = (result: Verdict): void => {
      over = true;
      wire.off('data', decode).off('close', onClose);
      resolve(result);
    };
    const onClose = (): void => settle({kind: 'silent'});
    const decode = createFrameDecoder({
      onMessage: (message) => {
        if (over || message.type === 'ready') return;
        if (message.type === 'loaded') return void (isLoaded = true);
        const result = judge(message);
        if (result !== undefined) return settle(result);
        try {
          listener?.(message, send);
        } catch (error) {
          settle({
            kind: 'garbled',
            problem: `the host could not process a message of type \`${message.type}\`: ${String(error)}`,
          });
        }
      },
      onProblem: (problem, exceeded) =>
        settle(exceeded === undefined ? {kind: 'garbled', problem} : {kind: 'exceeded', exceeded}),
      bounds: messageBounds,
    });
    wire.on('data', decode);
    wire.once('close', onClose);
    if (wire.destroyed) onClose();
  });
  return {verdict, isLoaded: () => isLoaded, cancel: (reason) => void send({type: 'cancel', reason})};
}

/** Undefined for a message that the listener gets. */
function judge(message: Exclude<WireMessage, {type: 'ready' | 'loaded'}>): Verdict | undefined {
  if (!validateWireMessage(message)) {
    const [first] = validateWireMessage.errors ?? [];
    return {
      kind: 'garbled',
      problem: `a message of type \`${message.type}\` is invalid at \`${first?.instancePath ?? ''}\`: ${first?.message ?? ''}`,
    };
  }
  switch (message.type) {
    case 'result':
      return {kind: 'output', output: message.output};
    case 'progress':
    case 'log':
    case 'request':
      return undefined;
    case 'invoke':
    case 'response':
    case 'cancel':
      return {kind: 'garbled', problem: `only the host sends messages of type \`${message.type}\``};
    default:
      return message satisfies never;
  }
}
