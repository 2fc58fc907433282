// Reads a log's files without code of the kernel, for comparison with the kernel's answers.
import {createHash} from 'node:crypto';
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

export interface LogLine {
  readonly seq: number;
  readonly prev: string;
  readonly type: string;
  readonly [key: string]: unknown;
}

/** All lines in order; problems with their numbers and chain go to `problems`. */
export function readLog(folder: string, problems: string[]): readonly LogLine[] {
  const lines: LogLine[] = [];
  let prev = '0'.repeat(64);
  const names = readdirSync(folder).toSorted((a, b) => a.localeCompare(b));
  for (const name of names) {
    const texts = readFileSync(join(folder, name), 'utf8').split('\n');
    if (texts.pop() !== '') problems.push(`${name} ends in a torn line`);
    if (texts.length > 0 && Number.parseInt(name, 10) !== lines.length + 1) {
      problems.push(`${name} begins where line ${lines.length + 1} was due`);
    }
    for (const text of texts) {
      const line = parsed(text);
      if (line?.seq !== lines.length + 1 || line.prev !== prev) {
        problems.push(`${name}: line ${lines.length + 1} does not continue the log: ${text.slice(0, 120)}`);
        return lines;
      }
      prev = createHash('sha256').update(text).digest('hex');
      lines.push(line);
    }
  }
  return lines;
}

function parsed(text: string): LogLine | undefined {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return undefined;
  }
}
