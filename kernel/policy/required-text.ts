// The longest text that each match of a regular expression contains, as far as it is easy to see. A text without it cannot match, and
// searching for it is much faster than matching.
import type {PolicyRegex} from './policy-compiler-ports.ts';

/** Of fewer characters, too many texts contain them. */
const lengthMin = 3;

/** A character that a match contains, or what ends a text of such characters. */
type Part = {readonly length: number} & (
  | {readonly text: string}
  | {readonly ends: 'text' | 'before its last character'}
);

const charactersOfClass = String.raw`\[\^?\]?(?:[^\\[\]]|\\[^pPQ])*\]`;
/** Without groups in it, and without flags. */
const group = String.raw`\((?:\?:|(?!\?))(?:[^\\()[\]]|\\[^pPQ]|${charactersOfClass})*\)`;
const varying = new RegExp(String.raw`^(?:\+\??|[.^$]|\\[bBdDsSwWAz]|${charactersOfClass}|${group})`, 'u');

/** Undefined if there is none, or the source is not simple enough to be sure. */
export function requiredText(source: string): string | undefined {
  let longest = '';
  let text = '';
  for (let at = 0; at < source.length;) {
    const part = partAt(source, at);
    if (part === undefined) return undefined;
    at += part.length;
    if ('text' in part) text += part.text;
    else {
      if (part.ends !== 'text') text = text.slice(0, -1);
      if (text.length > longest.length) longest = text;
      text = '';
    }
  }
  if (text.length > longest.length) longest = text;
  return longest.length < lengthMin ? undefined : longest;
}

function partAt(source: string, at: number): Part | undefined {
  const rest = source.slice(at);
  const [plain = ''] = /^[\w \-/:;,=@#%&~"'`<>!]/u.exec(rest) ?? [];
  if (plain !== '') return {length: 1, text: plain};
  const [, escaped] = /^\\([^A-Za-z0-9])/u.exec(rest) ?? [];
  if (escaped !== undefined && escaped < '\u{80}') return {length: 2, text: escaped};
  const [repeated] = /^(?:[*?]|\{\d+(?:,\d*)?\})\??/u.exec(rest) ?? [];
  if (repeated !== undefined) return {length: repeated.length, ends: 'before its last character'};
  const [other] = varying.exec(rest) ?? [];
  // Alternatives, flags, and what else is not simple.
  return other === undefined ? undefined : {length: other.length, ends: 'text'};
}

/** The same expression. It reads only texts that can match. */
export function withRequiredText(regex: PolicyRegex, source: string): PolicyRegex {
  const required = requiredText(source);
  if (required === undefined)
    return {test: (text) => regex.test(text), replaceAll: (text, by) => regex.replaceAll(text, by)};
  return {
    test: (text) => text.includes(required) && regex.test(text),
    replaceAll: (text, by) => (text.includes(required) ? regex.replaceAll(text, by) : text),
  };
}
