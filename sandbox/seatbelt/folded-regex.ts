// Regular expressions that match a path in any case and Unicode form. The usual macOS volume treats `.ENV`, `.env` and either
// Unicode form of `é` as the same name. A rule that denies must apply to all of them.

/** What the volume treats as equal to these letters besides their own two cases: long s, Kelvin sign. */
const furtherForms: Readonly<Record<string, string>> = {s: '\u017f', k: '\u212a'};

/**
 * Matches the path and all below it. Only what is below `base` is folded: a grant covers one form, so nothing is reachable
 * through another form of `base`.
 */
export function foldedTree(base: string, path: string): string {
  return `^${escaped(base)}${folded(path.slice(base.length))}(/|$)`;
}

/** Matches the path alone. */
export function foldedPath(base: string, path: string): string {
  return `^${escaped(base)}${folded(path.slice(base.length))}$`;
}

/** Matches what a pattern (literals, `?`, `*`, `**`) matches below `base`, and all below that. */
export function foldedPattern(base: string, pattern: string): string {
  const segments = pattern.split('/').map((segment) => (segment === '**' ? '(.*/)?' : `${foldedSegment(segment)}/`));
  return `^${escaped(base)}/${segments.join('').replace(/\/$/, '')}(/|$)`;
}

function escaped(text: string): string {
  return text.replace(/[^\w/ \u0080-\uffff-]/g, '\\$&');
}

function foldedSegment(segment: string): string {
  return segment
    .split(/([*?])/)
    .map((part) => (part === '*' ? '[^/]*' : part === '?' ? anyCharacter : folded(part)))
    .join('');
}

/** These expressions may see bytes, of which a character has up to three more, and none of those is ASCII. */
const anyCharacter = '[^/][^/ -~]?[^/ -~]?[^/ -~]?';

function folded(text: string): string {
  return Array.from(text.normalize('NFC'), foldedCharacter).join('');
}

function foldedCharacter(character: string): string {
  const cases = [character.toLowerCase(), character.toUpperCase()];
  const further = furtherForms[character.toLowerCase()];
  if (further !== undefined) return `([${cases.join('')}]|${further})`;
  if (/^[a-z]$/i.test(character)) return `[${cases.join('')}]`;
  if (character <= '\x7f') return escaped(character);
  const forms = new Set([character, ...cases].flatMap((form) => [form.normalize('NFC'), form.normalize('NFD')]));
  return `(${[...forms].join('|')})`;
}
