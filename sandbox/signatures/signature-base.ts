// The text that is signed, by RFC 9421 section 2.5.

/** A component's identifier as it is serialized, and its value. */
export type Component = readonly [identifier: string, value: string];

/** `signatureParams` is the inner list with its parameters. */
export function signatureBase(components: readonly Component[], signatureParams: string): string {
  const lines = components.map(([identifier, value]) => `${identifier}: ${value}\n`);
  return `${lines.join('')}"@signature-params": ${signatureParams}`;
}
