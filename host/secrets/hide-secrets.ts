// Removes secrets from what servers and services return: some repeat a request's headers in their replies.

export interface Secret {
  readonly text: string;
  /** What replaces it. */
  readonly shown: string;
}

/** A shorter one would also match ordinary text. */
const lengthMin = 6;

export function hideSecrets<T>(value: T, secrets: readonly Secret[]): T {
  const forms = secrets.filter(({text}) => text.length >= lengthMin).flatMap(formsOf);
  // The longest first, because one can contain another.
  const ordered = forms.toSorted((a, b) => b.text.length - a.text.length);
  return ordered.length === 0 ? value : (hideIn(value, ordered) as T);
}

/** Secrets whose names are not of interest. */
export function redacted(texts: readonly string[]): readonly Secret[] {
  return texts.map((text) => ({text, shown: '[redacted]'}));
}

function formsOf({text, shown}: Secret): readonly Secret[] {
  const texts = new Set([text, encodeURIComponent(text), Buffer.from(text).toString('base64')]);
  return Array.from(texts, (form) => ({text: form, shown}));
}

function hideIn(value: unknown, forms: readonly Secret[]): unknown {
  if (typeof value === 'string') return forms.reduce((whole, {text, shown}) => whole.replaceAll(text, shown), value);
  if (Array.isArray(value)) return value.map((item) => hideIn(item, forms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [hideIn(key, forms) as string, hideIn(inner, forms)]),
  );
}
