import {closeSync, openSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

const chunk = Buffer.alloc(4 * 1024 * 1024, 'large');

/** Writes one file of `megabytes`, without keeping it in memory. */
export const writeLarge = defineTool<{megabytes?: number}, number>({
  run({megabytes = 500}, {workspace_root}) {
    const file = openSync(join(workspace_root, 'large.bin'), 'w');
    for (let left = megabytes; left > 0; left -= 4) writeSync(file, chunk);
    closeSync(file);
    return megabytes;
  },
});
