import {defineTool, ToolError} from '@lumenflow/pack-sdk';

/** Ends the process that makes the call, or fails. */
export const fall = defineTool<{readonly how: 'killed' | 'failed'}, {readonly ended: false}>({
  run({how}) {
    if (how === 'failed') throw new ToolError('ALWAYS_BROKEN', 'it fails each time');
    process.kill(process.pid, 'SIGKILL');
    return {ended: false};
  },
});
