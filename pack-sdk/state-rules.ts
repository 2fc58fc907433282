// What a name and the lines of a pack's own texts look like, wherever they are kept.
import {ToolError} from './tool-error.ts';

const namePattern = /^[a-z0-9][a-z0-9._-]{0,99}(?:\/[a-z0-9][a-z0-9._-]{0,99}){0,7}$/u;

/** Throws ToolError INVALID_STATE_NAME. */
export function checkStateName(name: string): void {
  if (namePattern.test(name)) return;
  const message = `\`${name}\` cannot name a state: use up to 8 segments of lower-case letters, digits, \`.\`, \`_\` and \`-\``;
  throw new ToolError('INVALID_STATE_NAME', message, {name});
}

/** The lines in the form of a log. Throws ToolError INVALID_INPUT. */
export function joinLines(lines: readonly string[]): string {
  if (!lines.some((line) => line.includes('\n'))) return lines.map((line) => `${line}\n`).join('');
  throw new ToolError('INVALID_INPUT', 'a line of a state cannot contain a line break: write it as JSON');
}

/** Throws ToolError CONFLICT unless what was expected is what was found. */
export function checkExpected(name: string, expect: unknown, found: string): void {
  if (expect === undefined || (expect ?? noVersion) === found) return;
  throw new ToolError(
    'CONFLICT',
    `the state \`${name}\` was changed in the meantime: read it again, then decide again`,
    {
      name,
    },
  );
}

/** The version of what is not there. */
export const noVersion = 'none';
