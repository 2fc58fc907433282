// Ids are long; their beginnings serve as well, as long as only one of them begins so.
import {CliError} from './cli-error.ts';

/** The id itself, else the only one that begins with `prefix`; undefined for none. Throws CliError AMBIGUOUS_ID. */
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
