// How many streams of one kind are open at once; a stream that nobody begins to read never counts.

export interface StreamSlots {
  isFull(): boolean;
  hold(chunks: AsyncGenerator<string>): AsyncGenerator<string>;
}

export const streamsMax = 100;

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
