// Converts a flag's text to the value for the tool.
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {nearestWord} from './nearest-word.ts';
import type {ToolFlag} from './tool-flags.ts';

/** Throws CliError USAGE, naming the flag. */
export function flagValue(flag: ToolFlag, text: string): unknown {
  const {name, kind, choices} = flag;
  if (choices) return chosen(name, choices, text);
  switch (kind) {
    case 'text':
      return text;
    case 'number':
    case 'integer':
      return numberOf(flag, text);
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw wrongValue(name, `takes no value, or \`true\` or \`false\`, not \`${text}\``);
    case 'json':
      return jsonOf(name, text);
    case 'any':
      return readsAsJson(text) ? JSON.parse(text) : text;
    default:
      return kind satisfies never;
  }
}

export function wrongValue(name: string, what: string, help?: string): CliError {
  return new CliError('USAGE', `\`--${name}\` ${what}`, {
    help,
    exitCode: exitCode.usage,
  });
}

function chosen(name: string, choices: readonly unknown[], text: string): unknown {
  const found = choices.find((choice) => String(choice) === text);
  if (found !== undefined) return found;
  const texts = choices.map(String);
  const near = nearestWord(text, texts);
  const help = near === undefined ? undefined : `did you mean \`${near}\`?`;
  throw wrongValue(name, `is one of ${texts.join(', ')}, not \`${text}\``, help);
}

function numberOf({name, kind}: ToolFlag, text: string): number {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (Number.isFinite(value) && (kind === 'number' || Number.isInteger(value))) return value;
  throw wrongValue(name, `takes a ${kind === 'integer' ? 'whole number' : 'number'}, not \`${text}\``);
}

function jsonOf(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw wrongValue(name, `takes JSON: ${(error as Error).message}`, `quote it for the shell: '{"key": "value"}'`);
  }
}

function readsAsJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    // Anything else is text.
    return false;
  }
}
