// Limits the number of open streams by kind. A stream counts from its first read.
import {refuse, type Reply} from '../reply.ts';

export interface StreamSlots {
  isFull(): boolean;
  hold(chunks: AsyncGenerator<string>): AsyncGenerator<string>;
}

const streamsMax = 100;
/** In seconds. An estimate, since the end of a stream cannot be predicted. */
const comeAgainIn = 5;

export function refuseStream(of: string): Reply {
  const refusal = refuse('LIMIT_EXCEEDED', `${streamsMax} streams of ${of} are open: close one, or retry later`);
  return {...refusal, headers: {'retry-after': String(comeAgainIn)}};
}

export function createStreamSlots(): StreamSlots {
  let open = 0;
  return {
    isFull: () => open >= streamsMax,
    async *hold(chunks) {
      open += 1;
      try {
        yield* chunks;
      } finally {
        open -= 1;
      }
    },
  };
}
