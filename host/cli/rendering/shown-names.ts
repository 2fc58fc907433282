// A list of names for one line. Names of a server's tools come from the server.
import {cleanLine} from './clean-text.ts';

const shownMax = 12;

export function shownNames(names: readonly string[]): string {
  const clean = names.map(cleanLine);
  const rest = clean.length - shownMax;
  return rest <= 1 ? clean.join(', ') : `${clean.slice(0, shownMax).join(', ')} and ${rest} more`;
}
