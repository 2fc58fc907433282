// Keeps handlers' output out of the host's own output, which an MCP client may be reading. Captures the console, the streams,
// and writes to descriptors 1 and 2, which some loggers use.
import fs from 'node:fs';
import {syncBuiltinESMExports} from 'node:module';
import type {LogLevel} from '@lumenflow/schemas';

type Print = (level: LogLevel, text: string) => void;

/** Patches the thread's globals for the thread's lifetime. */
export function captureOutput(print: Print): void {
  captureStream(process.stdout, 'info', print);
  captureStream(process.stderr, 'warn', print);
  captureDescriptors(print);
}

function captureStream(stream: NodeJS.WriteStream, level: LogLevel, print: Print): void {
  stream.write = new Proxy(stream.write.bind(stream), {
    apply(_write, _stream, parameters: unknown[]) {
      const [chunk, encoding] = parameters;
      print(level, textOf(chunk, [encoding]));
      const callback = parameters.findLast((parameter) => typeof parameter === 'function');
      if (callback !== undefined) process.nextTick(callback);
      return true;
    },
  });
}

function captureDescriptors(print: Print): void {
  /** Bytes written, or undefined for another descriptor. */
  function take(parameters: readonly unknown[]): number | undefined {
    const [fd, data, ...rest] = parameters;
    if (fd !== 1 && fd !== 2) return undefined;
    const text = textOf(data, rest);
    print(fd === 1 ? 'info' : 'warn', text);
    return Buffer.byteLength(text);
  }

  fs.writeSync = new Proxy(fs.writeSync, {
    apply: (write, self, parameters: unknown[]): unknown => take(parameters) ?? Reflect.apply(write, self, parameters),
  });
  fs.write = new Proxy(fs.write, {
    apply(write, self, parameters: unknown[]): unknown {
      const taken = take(parameters);
      if (taken === undefined) return Reflect.apply(write, self, parameters);
      const callback = parameters.findLast((parameter) => typeof parameter === 'function');
      if (callback !== undefined) process.nextTick(callback, null, taken, parameters[1]);
      return undefined;
    },
  });
  // Makes the patch visible to `import {writeSync} from 'node:fs'`.
  syncBuiltinESMExports();
}

/** The text of a write's data; for bytes, the part that its offset and length select. */
function textOf(data: unknown, [offset, length]: readonly unknown[]): string {
  if (typeof data === 'string') return data;
  if (!ArrayBuffer.isView(data)) return '';
  const start = typeof offset === 'number' ? offset : 0;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  return bytes.toString('utf8', start, typeof length === 'number' ? start + length : bytes.length);
}
