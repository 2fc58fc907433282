// Reads a log's files without code of the kernel, for comparison with the kernel's answers.
import {createHash} from 'node:crypto';
import {existsSync, readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

export interface LogLine {
  readonly seq: number;
  readonly prev: string;
  readonly type: string;
  readonly [key: string]: unknown;
}

/** All lines in order, those in the archive first; problems with their numbers and chain go to `problems`. */
export function readLog(folder: string, problems: string[], archived?: string): readonly LogLine[] {
  const lines: LogLine[] = [];
  let prev = '0'.repeat(64);
  for (const [name, content] of segmentsIn(folder, archived, problems)) {
    const texts = content.split('\n');
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

/** Name and content, in order. After an interrupted archiving, a segment is here and in the archive. */
function segmentsIn(
  folder: string,
  archived: string | undefined,
  problems: string[],
): readonly (readonly [string, string])[] {
  const found = new Map<string, readonly [string, string]>();
  for (const place of [archived, folder]) {
    if (place === undefined || !existsSync(place)) continue;
    for (const name of readdirSync(place).filter((each) => each.endsWith('.jsonl'))) {
      const first = name.slice(0, 16);
      const content = readFileSync(join(place, name), 'utf8');
      if (content !== (found.get(first)?.[1] ?? content)) problems.push(`${name} is archived with another content`);
      found.set(first, [name, content]);
    }
  }
  return [...found.entries()].toSorted(([a], [b]) => a.localeCompare(b)).map(([, segment]) => segment);
}

function parsed(text: string): LogLine | undefined {
  try {
    return JSON.parse(text) as LogLine;
  } catch {
    return undefined;
  }
}
