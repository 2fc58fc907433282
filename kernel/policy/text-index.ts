// Rules that can match only if one of the texts of a request contains a text of theirs. Each text is read once, however many rules
// there are: its characters, three at a time, select the few texts to search for.
import type {CompiledRule} from './compiled-layer.ts';
import type {RequiredValue} from './required-value.ts';
import type {ValueIndex} from './value-index.ts';

/** Five bits for each of the last three characters. */
const mask = 0x7f_ff;

export function createTextIndex({read}: Pick<RequiredValue, 'read'>): ValueIndex {
  const all = new Set<CompiledRule>();
  const byText = new Map<string, CompiledRule[]>();
  const byEnd = new Map<number, Set<string>>();
  const isEnd = new Uint8Array(mask + 1);

  const textsToSearch = (text: string): readonly string[] => {
    const ends = new Set<number>();
    let end = 0;
    for (let at = 0; at < text.length; at += 1) {
      end = nextEnd(end, text.charCodeAt(at));
      if (isEnd[end] === 1) ends.add(end);
    }
    return [...ends].flatMap((one) => [...(byEnd.get(one) ?? [])]);
  };

  return {
    add(rule, {values}) {
      all.add(rule);
      for (const value of values.map(String)) {
        const end = endOf(value);
        isEnd[end] = 1;
        byEnd.set(end, (byEnd.get(end) ?? new Set()).add(value));
        byText.set(value, [...(byText.get(value) ?? []), rule]);
      }
    },
    find(request) {
      const texts = read(request);
      if (!Array.isArray(texts)) return [...all];
      const found = new Set<CompiledRule>();
      for (const text of texts.map(String)) {
        for (const searched of textsToSearch(text)) {
          if (text.includes(searched)) for (const rule of byText.get(searched) ?? []) found.add(rule);
        }
      }
      return [...found];
    },
  };
}

function nextEnd(end: number, code: number): number {
  return ((end << 5) ^ code) & mask;
}

function endOf(text: string): number {
  let end = 0;
  for (let at = 0; at < text.length; at += 1) end = nextEnd(end, text.charCodeAt(at));
  return end;
}
