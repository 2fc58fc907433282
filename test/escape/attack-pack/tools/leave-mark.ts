// Shows that a tool ran which should not have: by a file of its own.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

export const leaveMark = defineTool<{marker: string}>({
  run({marker}, {workspace_root: root}) {
    writeFileSync(join(root, 'work', 'marked'), marker);
    return {marked: true};
  },
});
