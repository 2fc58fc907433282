// Expands the alternatives of `{a,b}`, also nested ones and ones with slashes. Each character keeps its original position, so that later
// problems can point to it.
import {failed, ok, type Failed, type Outcome} from '../outcome.ts';

export interface Glyph {
  /** One code point. */
  readonly char: string;
  /** In UTF-16 units, from the start of the pattern. */
  readonly offset: number;
}

export interface PatternProblem {
  /** In UTF-16 units, from the start of the pattern. */
  readonly offset: number;
  readonly message: string;
  readonly help: string;
}

/** Alternatives that one pattern may expand to. */
const alternativesMax = 256;

export function glyphsOf(text: string): readonly Glyph[] {
  let offset = 0;
  return Array.from(text, (char) => {
    const glyph = {char, offset};
    offset += char.length;
    return glyph;
  });
}

export function expandBraces(glyphs: readonly Glyph[]): Outcome<readonly (readonly Glyph[])[], PatternProblem> {
  let at = 0;

  /** Up to the end, or to the `,` or `}` that ends this alternative of the group opened by `opening`. */
  function alternatives(opening: Glyph | undefined): Outcome<Glyph[][], PatternProblem> {
    let written: Glyph[][] = [[]];
    for (let glyph = glyphs[at]; glyph !== undefined; glyph = glyphs[at]) {
      if (opening !== undefined && (glyph.char === ',' || glyph.char === '}')) return ok(written);
      if (glyph.char === '}') return unbalanced(glyph);
      at += 1;
      if (glyph.char === '{') {
        const choices = group(glyph);
        if (!choices.ok) return choices;
        if (written.length * choices.value.length > alternativesMax) return tooMany(glyph);
        written = written.flatMap((head) => choices.value.map((choice) => [...head, ...choice]));
      } else {
        for (const alternative of written) alternative.push(glyph);
      }
    }
    return opening === undefined ? ok(written) : unbalanced(opening);
  }

  function group(opening: Glyph): Outcome<Glyph[][], PatternProblem> {
    const choices: Glyph[][] = [];
    for (;;) {
      const some = alternatives(opening);
      if (!some.ok) return some;
      choices.push(...some.value);
      if (choices.length > alternativesMax) return tooMany(opening);
      const closes = glyphs[at]?.char === '}';
      at += 1;
      if (closes) return ok(choices);
    }
  }

  return alternatives(undefined);
}

function unbalanced(glyph: Glyph): Failed<PatternProblem> {
  return failed({
    offset: glyph.offset,
    message: `\`${glyph.char}\` has no matching \`${glyph.char === '{' ? '}' : '{'}\``,
    help: 'write alternatives as `{a,b}`; a brace cannot be part of a name',
  });
}

function tooMany(glyph: Glyph): Failed<PatternProblem> {
  return failed({
    offset: glyph.offset,
    message: `the alternatives expand to more than ${alternativesMax} patterns`,
    help: 'split the scope into several, or use `*`',
  });
}
