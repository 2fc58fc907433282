// The words of names, descriptions and queries, as the index compares them: in lower case, without endings and without words that
// every text contains.

/** Words that say nothing about a tool. */
const empty: ReadonlySet<string> = new Set(
  (
    'a about all an and any are as at be been by can did do does for from get has have how i if in into is it its may me my ' +
    'of on one or out should so some that the their them then there these this to up use was we what when where which ' +
    'who why will with would you your'
  ).split(' '),
);

/** In order, with repetitions; `createPullRequest` and `create_pull-request` have the same three. */
export function searchWords(text: string): string[] {
  const parts = text
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])/gu, ' ')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu);
  return (parts ?? []).filter((word) => !empty.has(word)).map(withoutEnding);
}

/** Rough on purpose: both sides of a comparison pass through it, so only consistency matters. */
function withoutEnding(word: string): string {
  if (word.length < 4) return word;
  const stem = word
    .replace(/ies$/u, 'y')
    .replace(/(?<=[sxz]|[cs]h)es$/u, '')
    .replace(/(?<=[^s])s$/u, '')
    .replace(/(?<=\w{3})(?:ing|ed)$/u, '')
    .replace(/(?<=\w{3})e$/u, '');
  // `committed` and `committing` as `commit`.
  return stem === word ? stem : stem.replace(/(?<=\w{2})([bdgmnprt])\1$/u, '$1');
}
