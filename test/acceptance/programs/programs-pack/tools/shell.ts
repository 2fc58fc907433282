import {spawnSync} from 'node:child_process';
import {defineTool, ToolError} from '@lumenflow/pack-sdk';

/** Runs in the directory `work`. Fails with the last lines of what the script printed. */
export const shell = defineTool<{script: string}, {said: string}>({
  run({script}, {workspace_root}) {
    const {status, stdout, stderr} = spawnSync('bash', ['-euc', script], {
      cwd: `${workspace_root}/work`,
      encoding: 'utf8',
      env: {...process.env, LC_ALL: 'C', TZ: 'UTC', HOME: '/tmp'},
    });
    if (status === 0) return {said: stdout};
    throw new ToolError('SCRIPT_FAILED', `${status}: ${stderr.slice(-1500)}`);
  },
});
