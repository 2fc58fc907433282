// Removes what a test made. A killed host leaves a folder without permissions, in which Node's `rmSync` fails for an ordinary user.
import {execFileSync} from 'node:child_process';

/** Sandboxes of a killed host may write for a moment after it, and `rm` fails on a folder that is filled meanwhile. */
const script =
  'for pause in 0.2 0.5 1 2; do rm -rf -- "$1" 2>/dev/null && exit; sleep "$pause"; done; exec rm -rf -- "$1"';

export function removeTree(path: string): void {
  execFileSync('sh', ['-c', script, 'sh', path]);
}
