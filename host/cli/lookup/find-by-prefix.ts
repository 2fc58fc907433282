// Resolves a unique prefix of an id.
import {CliError} from '../failures/cli-error.ts';

/** Returns the exact id, else the only id with the prefix `prefix`, else undefined. Throws CliError AMBIGUOUS_ID. */
export function findByPrefix<T>(prefix: string, items: readonly T[], idOf: (item: T) => string): T | undefined {
  const found = items.filter((item) => idOf(item).startsWith(prefix));
  const exact = found.find((item) => idOf(item) === prefix);
  if (exact !== undefined || found.length <= 1) return exact ?? found[0];
  throw new CliError('AMBIGUOUS_ID', `${found.length} ids begin with \`${prefix}\``, {
    help: 'give more characters of the id',
    details: {ids: found.slice(0, 10).map(idOf)},
    exitCode: 2,
  });
}
