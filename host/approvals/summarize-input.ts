// The input of a call in one short line, for lists: its path, or its first text, or all of it.
import {cutText} from '@lumenflow/kernel';

const lengthMax = 160;

export function summarizeInput(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return shortened(JSON.stringify(input));
  const fields = input as Readonly<Record<string, unknown>>;
  const first = [fields['path'], ...Object.values(fields)].find((value) => typeof value === 'string' && value !== '');
  return shortened(typeof first === 'string' ? first : JSON.stringify(fields));
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > lengthMax ? `${cutText(line, lengthMax)}…` : line;
}
