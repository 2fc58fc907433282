// Globs of policy rules, turned into regular expressions for the linear-time engine.
// `*` is any run of characters within one part (of `domain:verb`; of a path in an argument), `?` one such
// character, a lone `*` everything. In arguments `**` crosses `/`, and `**/` also matches no part at all.
import type {Globs} from '@lumenflow/schemas';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {PolicyCompilerPorts} from './policy-compiler-ports.ts';
import {setReference, unknownSet} from './sets/set-reference.ts';

interface GlobKind {
  readonly separator: ':' | '/';
  /** What a glob may be made of. Anything else could never match, and a deny that never matches is a hole. */
  readonly allowed: RegExp;
  readonly help: string;
}

type GlobKindName = 'tool' | 'id' | 'value';

const globKinds: Readonly<Record<GlobKindName, GlobKind>> = {
  tool: {
    separator: ':',
    allowed: /^[\w.*?-]+(?::[\w.*?-]+)?$/,
    help: 'write a tool name such as `file:write`, with `*` for any run of characters within one part',
  },
  id: {
    separator: ':',
    allowed: /^[\w.*?-]+$/,
    help: 'write an id, with `*` for any run of characters',
  },
  value: {
    separator: '/',
    allowed: /^[^{}[\]\\]+$/,
    help: 'list several globs instead of braces, or use `regex`',
  },
};

export interface GlobsProblem {
  readonly message: string;
  readonly help: string;
}

export function compileGlobs(
  globs: Globs,
  kindName: GlobKindName,
  compileRegex: PolicyCompilerPorts['compileRegex'],
): Outcome<(text: string) => boolean, GlobsProblem> {
  const kind = globKinds[kindName];
  const {help} = kind;
  const list: readonly unknown[] = Array.isArray(globs) ? globs : [globs];
  const texts = list.filter((glob) => typeof glob === 'string');
  if (texts.length !== list.length || texts.length === 0) return failed({message: 'a glob must be a string', help});
  const unknown = texts.map(setReference).find((name) => name !== undefined);
  if (unknown !== undefined) return failed(unknownSet(unknown));
  const wrong = texts.find((text) => !kind.allowed.test(text));
  if (wrong !== undefined) return failed({message: `\`${wrong}\` is not a glob that can match here`, help});
  if (texts.includes('*')) return ok(() => true);
  const literals = new Set(texts.filter((text) => !isPattern(text)));
  const patterns: {test(text: string): boolean}[] = [];
  for (const text of texts.filter(isPattern)) {
    const regex = compileRegex(`^${regexSource(text, kind.separator)}$`);
    if (!regex.ok) return failed({message: `glob \`${text}\` does not compile: ${regex.problem}`, help});
    patterns.push(regex.value);
  }
  return ok((text) => literals.has(text) || patterns.some((pattern) => pattern.test(text)));
}

/** What every text that the glob matches begins with. */
export function literalStart(glob: string): string {
  return glob.slice(0, isPattern(glob) ? glob.search(/[*?]/) : undefined);
}

function isPattern(glob: string): boolean {
  return /[*?]/.test(glob);
}

function regexSource(glob: string, separator: ':' | '/'): string {
  const across = separator === '/';
  return glob.replaceAll(/(?<![^/])\*\*\/|\*+|\?|[^*?]+/g, (token) => {
    if (token === '**/') return '(?:[\\s\\S]*/)?';
    if (token === '?') return `[^${separator}]`;
    if (token.startsWith('*')) return across && token.length > 1 ? '[\\s\\S]*' : `[^${separator}]*`;
    return token.replaceAll(/[.+^$()|]/g, '\\$&');
  });
}
