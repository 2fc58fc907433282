import {readdirSync} from 'node:fs';
import {UnfitChange} from './change.ts';

/** No pattern of a scope could match a name that is not UTF-8. */
export function namesIn(directory: string, path: string): Set<string> {
  const names = new Set<string>();
  for (const bytes of readdirSync(`${directory}/`, {encoding: 'buffer'})) {
    const name = bytes.toString('utf8');
    if (!Buffer.from(name).equals(bytes)) throw new UnfitChange({kind: 'unreadable_name', directory: path});
    names.add(name);
  }
  return names;
}
