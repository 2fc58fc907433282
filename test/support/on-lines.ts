// Lines of a stream, split at newlines only. From Node 24 on, node:readline also splits at U+2028 and U+2029, which JSON does not escape.
import type {Readable} from 'node:stream';

/** Calls `listener` with each complete line, without its newline. */
export function onLines(stream: Readable, listener: (line: string) => void): void {
  let rest = '';
  stream.setEncoding('utf8').on('data', (text: string) => {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) listener(line);
  });
}
