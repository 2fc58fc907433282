import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

/** Paths with their content; on request, the handler fails after all are written. */
export const write = defineTool<{files: Record<string, string>; fail?: boolean}, {written: number}>({
  run: ({files, fail}, {workspace_root}) => {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace_root, path)), {recursive: true});
      writeFileSync(join(workspace_root, path), content);
    }
    if (fail === true) throw new Error('after all was written');
    return {written: Object.keys(files).length};
  },
});
