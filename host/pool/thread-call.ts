// The thread's side of the running call: its channel and its handler's printed output.
import type {MessagePort} from 'node:worker_threads';
import type {LogLevel, WireMessage} from '@lumenflow/schemas';
import type {Channel} from '@lumenflow/pack-sdk/wire';
import type {CallMessage} from './thread-message.ts';

/** Maximum number of characters kept of one call's printed output. */
const printedCharsMax = 256 * 1024;

export interface ThreadCall {
  readonly id: number;
  readonly channel: Channel;
  /** Turns printed text into a log message; drops it once the call is over or has printed too much. */
  print(level: LogLevel, text: string): void;
  deliver(message: WireMessage): void;
  isOpen(): boolean;
  close(): void;
}

export function createThreadCall(id: number, port: MessagePort): ThreadCall {
  let open = true;
  let charsLeft = printedCharsMax;
  let listener: ((message: WireMessage) => void) | undefined;

  function send(message: WireMessage): void {
    const sent: CallMessage = {call: id, message};
    if (open) port.postMessage(sent);
  }

  return {
    id,
    channel: {
      send,
      onMessage(next) {
        listener = next;
      },
    },
    print(level, text) {
      const message = text.endsWith('\n') ? text.slice(0, -1) : text;
      if (message === '' || charsLeft <= 0) return;
      send({type: 'log', level, message: message.slice(0, charsLeft)});
      charsLeft -= message.length;
      if (charsLeft <= 0)
        send({type: 'log', level: 'warn', message: 'the call printed more than its limit: the rest is dropped'});
    },
    deliver: (message) => listener?.(message),
    isOpen: () => open,
    close() {
      open = false;
    },
  };
}
