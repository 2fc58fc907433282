// Removes credentials from what a server says: it knows those that it was sent, and can repeat them.
import {headerVariables} from '../header-variables.ts';
import type {UpstreamServer} from '../upstream-server.ts';

type Secrets = Readonly<Record<string, string>>;

/** The variables in a server's headers, with their values. */
export function secretsOf({headers}: Pick<UpstreamServer, 'headers'>, env: Secrets): Secrets {
  return Object.fromEntries(headerVariables(headers).map((name) => [name, env[name] ?? '']));
}

/** Shorter values occur in other texts by chance. */
const lengthMin = 6;

export function conceal<T>(value: T, secrets: Secrets): T {
  const hidden = Object.entries(secrets).filter(([, secret]) => secret.length >= lengthMin);
  return hidden.length === 0 ? value : (within(value, hidden) as T);
}

function within(value: unknown, hidden: readonly (readonly [string, string])[]): unknown {
  if (typeof value === 'string')
    return hidden.reduce((text, [name, secret]) => text.replaceAll(secret, `[${name}]`), value);
  if (Array.isArray(value)) return value.map((item) => within(item, hidden));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [within(key, hidden), within(item, hidden)]));
}
