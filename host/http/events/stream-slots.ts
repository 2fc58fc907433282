// Limits the number of open streams by kind, for all callers together and for each of them. A stream counts from its first read.
import {refuse, type Reply} from '../reply.ts';

export interface StreamSlots {
  /** The refusal if the caller cannot open another stream. */
  refuse(caller: string): Reply | undefined;
  hold(caller: string, chunks: AsyncGenerator<string>): AsyncGenerator<string>;
}

const streamsMax = 100;
const streamsOfCallerMax = 25;
/** In seconds. An estimate, since the end of a stream cannot be predicted. */
const comeAgainIn = 5;

export function createStreamSlots(kind: string): StreamSlots {
  const open = new Map<string, number>();
  const total = (): number => [...open.values()].reduce((sum, count) => sum + count, 0);
  const add = (caller: string, change: number): void => {
    const count = (open.get(caller) ?? 0) + change;
    if (count === 0) open.delete(caller);
    else open.set(caller, count);
  };
  return {
    refuse(caller) {
      if ((open.get(caller) ?? 0) >= streamsOfCallerMax)
        return full(`your token has ${streamsOfCallerMax} open streams of ${kind}`);
      return total() >= streamsMax ? full(`${streamsMax} streams of ${kind} are open`) : undefined;
    },
    async *hold(caller, chunks) {
      add(caller, 1);
      try {
        yield* chunks;
      } finally {
        add(caller, -1);
      }
    },
  };
}

function full(problem: string): Reply {
  const refusal = refuse('LIMIT_EXCEEDED', `${problem}: close one, or retry later`);
  return {...refusal, headers: {'retry-after': String(comeAgainIn)}};
}
