// Several streams as one, in the order in which their texts come. It ends with the first stream that ends.

export async function* mergeStreams(streams: readonly AsyncGenerator<string>[]): AsyncGenerator<string> {
  const next = async (index: number): Promise<{index: number; result: IteratorResult<string> | undefined}> => ({
    index,
    result: await streams[index]?.next(),
  });
  const waiting = streams.map((_, index) => next(index));
  try {
    for (;;) {
      const {index, result} = await Promise.race(waiting);
      if (result === undefined || result.done === true) return;
      waiting[index] = next(index);
      yield result.value;
    }
  } finally {
    await Promise.all(streams.map((stream) => stream.return(undefined)));
  }
}
