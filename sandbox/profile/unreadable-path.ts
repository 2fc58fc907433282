// A path that cannot be inspected although a process of this user could reach it, if necessary by changing modes. What is there
// can be neither hidden nor sealed, so it never counts as absent.
import {printablePath} from './path-bytes.ts';

export class UnreadablePath extends Error {
  /** Absolute. */
  readonly path: string;
  /** The error code of the system: EACCES, ENAMETOOLONG, EIO … */
  readonly code: string;

  constructor(path: string, code: string) {
    super(`\`${printablePath(path)}\` cannot be inspected (${code}): ${remedy(code)}`);
    this.path = path;
    this.code = code;
  }
}

function remedy(code: string): string {
  if (code === 'EACCES' || code === 'EPERM')
    return 'allow your user to list and enter it (`chmod u+rwx`), or remove it from the scopes';
  if (code === 'ENAMETOOLONG') return 'it is nested too deeply: move or delete it, or remove it from the scopes';
  return 'repair it, or remove it from the scopes';
}
