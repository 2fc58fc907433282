// Removes what a test made. A killed host leaves folders without permissions, in which an ordinary user's `rm` fails.
import {execFileSync} from 'node:child_process';

/** Sandboxes of a killed host may write for a moment after it, and `rm` fails on a folder that is filled at the same time. */
const script = `
  remove() {
    find "$1" -type d ! -perm -u+rwx -exec chmod u+rwx {} \\; && rm -rf -- "$1"
  }
  [ -e "$1" ] || exit 0
  for pause in 0.2 0.5 1 2; do remove "$1" 2>/dev/null && exit; sleep "$pause"; done
  remove "$1"`;

export function removeTree(path: string): void {
  execFileSync('sh', ['-c', script, 'sh', path]);
}
