import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

export const writeOne = defineTool<unknown, string>({
  run(_input, {workspace_root}) {
    writeFileSync(join(workspace_root, 'written.txt'), String(process.hrtime.bigint()));
    return 'written';
  },
});
