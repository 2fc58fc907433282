// Leaves a file, which shows that a tool ran although it should not.
import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

export const leaveMark = defineTool<{marker: string}>({
  run({marker}, {workspace_root: root}) {
    writeFileSync(join(root, 'work', 'marked'), marker);
    return {marked: true};
  },
});
