// The parts of a text in a program: plain text, and the CEL expressions between `${` and `}`. `$${` is a plain `${`.
import {failed, ok, type Outcome} from '@lumenflow/kernel';

export interface ExpressionPart {
  readonly expression: string;
  /** Of the expression in the text. */
  readonly offset: number;
}

export interface TemplateFault {
  readonly message: string;
  readonly offset: number;
}

export function templateParts(text: string): Outcome<readonly (string | ExpressionPart)[], TemplateFault> {
  const parts: (string | ExpressionPart)[] = [];
  let plain = '';
  for (let at = 0; at < text.length;) {
    if (text.startsWith('$${', at)) {
      plain += '${';
      at += 3;
    } else if (text.startsWith('${', at)) {
      const end = endOfExpression(text, at + 2);
      if (end === undefined)
        return failed({message: '`${` has no closing `}`: write `$${` for a plain text', offset: at});
      if (plain !== '') parts.push(plain);
      plain = '';
      parts.push({expression: text.slice(at + 2, end), offset: at + 2});
      at = end + 1;
    } else {
      plain += text.charAt(at);
      at += 1;
    }
  }
  if (plain !== '' || parts.length === 0) parts.push(plain);
  return ok(parts);
}

/** A quoted text, also with escapes, or one other character. */
const token = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^]/uy;

/** Of the `}` that closes it: braces of maps and in quoted texts do not. */
function endOfExpression(text: string, start: number): number | undefined {
  let depth = 0;
  token.lastIndex = start;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    if (found[0] === '{') depth += 1;
    if (found[0] !== '}') continue;
    if (depth === 0) return found.index;
    depth -= 1;
  }
  return undefined;
}
