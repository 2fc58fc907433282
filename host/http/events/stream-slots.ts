// How many streams of one kind are open at once; a stream that nobody begins to read never counts.
import {refuse, type Reply} from '../reply.ts';

export interface StreamSlots {
  isFull(): boolean;
  hold(chunks: AsyncGenerator<string>): AsyncGenerator<string>;
}

const streamsMax = 100;
/** Seconds; nobody knows when one ends. */
const comeAgainIn = 5;

export function refuseStream(of: string): Reply {
  const refusal = refuse('LIMIT_EXCEEDED', `there are ${streamsMax} streams of ${of} open already`);
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
