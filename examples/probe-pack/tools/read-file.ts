// Reads a file as any program would, without the SDK.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

export const readFile = defineTool<{path: string}, {path: string; found: string; bytes?: number}>({
  run({path}, context) {
    try {
      const content = readFileSync(join(context.workspace_root, path));
      return {path, found: content.length === 0 ? 'an empty file' : 'its content', bytes: content.length};
    } catch (error) {
      return {path, found: (error as NodeJS.ErrnoException).code ?? 'an error'};
    }
  },
});
