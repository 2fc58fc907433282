// The texts in a JSON value: strings, names of properties, and numbers as they are written in JSON. A card number is a secret in both forms.

export function textsIn(value: unknown): readonly string[] {
  const texts: string[] = [];
  const seen = new Set<unknown>();
  const look = (part: unknown): void => {
    if (typeof part === 'string') texts.push(part);
    if (typeof part === 'number') texts.push(String(part));
    if (typeof part !== 'object' || part === null || seen.has(part)) return;
    seen.add(part);
    for (const [name, inner] of Object.entries(part)) {
      if (!Array.isArray(part)) texts.push(name);
      look(inner);
    }
  };
  look(value);
  return texts;
}

/** A copy with other texts; a number whose text changes becomes a text. The value has no cycles. */
export function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') return changedNumber(value, change);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [change(name), mapTexts(inner, change)]));
}

function changedNumber(value: number, change: (text: string) => string): unknown {
  const text = String(value);
  const changed = change(text);
  return changed === text ? value : changed;
}
