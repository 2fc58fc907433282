// Whether texts contain parts of other texts: 24 letters and digits in a row, or a whole value of at least 12. Case, spaces and punctuation
// do not count, so that quoting and wrapping change nothing. What is encoded, translated, summarized or cut into smaller parts is not found.

const runLength = 24;
const wholeLength = 12;

/** Whether one of `sent` contains a part of one of `read`. */
export function carriesText(sent: readonly string[], read: readonly string[]): boolean {
  const target = sent.map(lettersOf).join('\n');
  if (target.length < wholeLength) return false;
  const runs = new Set<number>();
  for (const [hash] of runsOf(target)) runs.add(hash);
  return read.some((text) => {
    const letters = lettersOf(text);
    if (letters.length < runLength) return letters.length >= wholeLength && target.includes(letters);
    for (const [hash, start] of runsOf(letters)) {
      if (runs.has(hash) && target.includes(letters.slice(start, start + runLength))) return true;
    }
    return false;
  });
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');
}

const base = 31;
const highest = Array.from({length: runLength - 1}).reduce<number>((product) => Math.imul(product, base), 1);

/** A rolling hash of each run, with its start. */
function* runsOf(text: string): Iterable<readonly [hash: number, start: number]> {
  let hash = 0;
  for (let end = 0; end < text.length; end += 1) {
    if (end >= runLength) hash = (hash - Math.imul(text.charCodeAt(end - runLength), highest)) | 0;
    hash = (Math.imul(hash, base) + text.charCodeAt(end)) | 0;
    if (end >= runLength - 1) yield [hash, end - runLength + 1];
  }
}
