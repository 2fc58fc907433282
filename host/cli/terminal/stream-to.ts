// Writes text in chunks and waits for a slow reader.
import type {OutputStream} from './terminal.ts';

export async function streamTo(stream: OutputStream, chunks: AsyncIterable<string>): Promise<void> {
  for await (const chunk of chunks) {
    if (stream.destroyed === true) return;
    if (stream.write(chunk) === false) await drained(stream);
  }
}

/** Also settles when the reader has closed the stream, which then never drains. */
async function drained(stream: OutputStream): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off?.('drain', done);
      stream.off?.('close', done);
      resolve();
    };
    stream.on?.('drain', done);
    stream.on?.('close', done);
    if (!stream.on) done();
  });
}
