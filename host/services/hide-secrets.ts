// Removes secrets from what a service returns: some services repeat a request's headers in their replies.

/** A shorter one would also match ordinary text. */
const lengthMin = 6;
const shown = '[redacted]';

export function hideSecrets(value: unknown, secrets: readonly string[]): unknown {
  const forms = [...new Set(secrets.filter((secret) => secret.length >= lengthMin).flatMap(formsOf))];
  // The longest first, because one can contain another.
  const ordered = forms.toSorted((a, b) => b.length - a.length);
  return ordered.length === 0 ? value : hideIn(value, ordered);
}

function formsOf(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
}

function hideIn(value: unknown, forms: readonly string[]): unknown {
  if (typeof value === 'string') return forms.reduce((text, form) => text.replaceAll(form, shown), value);
  if (Array.isArray(value)) return value.map((item) => hideIn(item, forms));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [hideIn(key, forms) as string, hideIn(inner, forms)]),
  );
}
