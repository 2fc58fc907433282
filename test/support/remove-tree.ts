// Removes what a test made. A killed host leaves a folder without permissions, in which Node's `rmSync` fails for an ordinary user.
import {execFileSync} from 'node:child_process';

export function removeTree(path: string): void {
  execFileSync('rm', ['-rf', '--', path]);
}
