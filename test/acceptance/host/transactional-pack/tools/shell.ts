import {execFileSync} from 'node:child_process';
import {defineTool} from '@lumenflow/pack-sdk';

export const shell = defineTool<{script: string}, {said: string}>({
  run: ({script}, {workspace_root}) => ({
    said: execFileSync('sh', ['-euc', script], {cwd: workspace_root, encoding: 'utf8'}),
  }),
});
