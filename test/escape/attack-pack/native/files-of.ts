// File access as a handler asks the host for it; or, where nothing guards, what an unguarded host would do.
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, resolve} from 'node:path';
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {Setting} from '../attack.ts';

export type AskedFiles = Pick<ToolContext['fs'], 'readText' | 'write'>;

export function filesOf({guarded, root}: Setting, {fs}: ToolContext): AskedFiles {
  if (guarded) return fs;
  return {
    readText: async (path) => readFileSync(resolve(root, path), 'utf8'),
    async write(path, content) {
      mkdirSync(dirname(resolve(root, path)), {recursive: true});
      writeFileSync(resolve(root, path), content);
    },
  };
}
