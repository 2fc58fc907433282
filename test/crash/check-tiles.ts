// Compares the stored tree hashes with the newest checkpoints, before a process opens the workspace and can rebuild them. A
// checkpoint is signed only after the full tiles below it are on disk.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';

const [tileLines, tileBytes] = [256, 8_192];

export function checkTiles(stateFolder: string, problems: string[]): void {
  for (const name of ['traces', 'events']) {
    const folder = join(stateFolder, 'evidence', 'tree', name);
    const path = join(folder, 'tiles', '0');
    const kept = readOrNothing(() => readFileSync(path)) ?? Buffer.alloc(0);
    for (let tile = 0; tile < Math.floor(newestSize(folder) / tileLines); tile += 1) {
      const bytes = kept.subarray(tile * tileBytes, (tile + 1) * tileBytes);
      if (bytes.length < tileBytes || bytes.every((byte) => byte === 0)) {
        problems.push(`\`${path}\`: tile ${tile} was signed and is not on disk`);
      }
    }
  }
}

function newestSize(folder: string): number {
  const names = readOrNothing(() => readdirSync(folder)) ?? [];
  return Math.max(0, ...names.filter((name) => name.endsWith('.note')).map((name) => Number.parseInt(name, 10)));
}

function readOrNothing<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
