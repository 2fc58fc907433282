// Mounts inside a workspace. An overlay shows its own file system only, and nothing that is mounted below.
import {readFileSync} from 'node:fs';
import {relative} from 'node:path';
import {isWithin} from '../profile/host-paths.ts';

/** The outermost ones, relative to the root. */
export function innerMounts(root: string): readonly string[] {
  const inner = mountPoints().filter((point) => point !== root && isWithin(point, root));
  const outermost = inner.filter((point) => !inner.some((other) => other !== point && isWithin(point, other)));
  return [...new Set(outermost)].map((point) => relative(root, point));
}

function mountPoints(): readonly string[] {
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) =>
      (line.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
        String.fromCharCode(Number.parseInt(octal, 8)),
      ),
    );
}
