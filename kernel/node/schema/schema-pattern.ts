// The `pattern` of a pack's JSON Schema is matched against any input of an agent, and must not stall the host. It runs in linear time on
// RE2 if RE2 supports it, otherwise on the platform's engine under a time limit.
import {RE2JS} from 're2js';
import {createContext, Script, type Context} from 'node:vm';

export interface SchemaPattern {
  /** Throws when the time limit is met. */
  test(text: string): boolean;
  /** Names the pattern: Ajv takes patterns of one name for the same. */
  toString(): string;
}

/** Wall time, so generous: a busy machine must not refuse a sound value. */
const testMsMax = 250;

/** Throws SyntaxError for a text that is not a regular expression of JSON Schema. */
export type CompilePattern = (source: string) => SchemaPattern;

export function createPatternCompiler(): CompilePattern {
  let context: Context | undefined;
  const script = new Script('pattern.test(text)');
  const testWithin = (pattern: RegExp, text: string): boolean => {
    context ??= createContext({});
    Object.assign(context, {pattern, text});
    return script.runInContext(context, {timeout: testMsMax}) === true;
  };
  return (source) => {
    const pattern = new RegExp(source, 'u');
    // Compiled for RE2 with the first text: it costs a millisecond, and most patterns of a start are never used.
    let linear: RE2JS | 'none' | undefined;
    return {
      toString: () => String(pattern),
      test: (text) => {
        linear ??= compileLinear(source) ?? 'none';
        return linear === 'none' ? testWithin(pattern, text) : linear.test(text);
      },
    };
  };
}

const anyButLineEnd = '[^\\n\\r\\x{2028}\\x{2029}]';
const space =
  '\\t\\n\\x{0b}\\f\\r \\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}';

function compileLinear(source: string): RE2JS | undefined {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(withSameMeaning(source)));
  } catch {
    // Look-around, back-references and the like: the caller falls back to the platform's engine.
    return undefined;
  }
}

/** RE2 takes `.` and `\s` otherwise than JavaScript. */
function withSameMeaning(source: string): string {
  return source.replaceAll(/\\.|\[(?:\\.|[^\]\\])*\]|\./gsu, (token) => {
    if (token === '.') return anyButLineEnd;
    if (token === '\\s') return `[${space}]`;
    if (token === '\\S') return `[^${space}]`;
    if (!token.startsWith('[')) return token;
    return token.replaceAll(/\\./gsu, (escape) => {
      if (escape === '\\S') throw new SyntaxError('a class with \\S has no counterpart');
      return escape === '\\s' ? space : escape;
    });
  });
}
