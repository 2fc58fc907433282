// JSON pointers into the pack's config.
import {ToolError} from '@lumenflow/pack-sdk';

/** Throws ToolError INVALID_POINTER. */
export function keysOf(pointer: string): readonly string[] {
  if (pointer === '') return [];
  if (!/^(?:\/(?:[^~/]|~[01])*)+$/u.test(pointer)) {
    const message = `\`${pointer}\` is not a JSON pointer: write it as in \`/lease/ttl_minutes\``;
    throw new ToolError('INVALID_POINTER', message, {pointer});
  }
  return pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** Undefined if there is no value. */
export function valueAt(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}
