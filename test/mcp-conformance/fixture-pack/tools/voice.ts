// What a tool says while it runs, and how it fails.
import {defineTool, ToolError} from '@lumenflow/pack-sdk';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export const logging = defineTool<unknown, object>({
  async run(_input, {log}) {
    log.info('Tool execution started');
    await sleep(50);
    log.info('Tool processing data');
    await sleep(50);
    log.info('Tool execution completed');
    return {content: [{type: 'text', text: 'logged'}]};
  },
});

export const progress = defineTool<unknown, object>({
  async run(_input, context) {
    for (const done of [0, 50, 100]) {
      await context.progress({progress: done, total: 100});
      await sleep(50);
    }
    return {content: [{type: 'text', text: 'done'}]};
  },
});

export const failing = defineTool<unknown, object>({
  run() {
    throw new ToolError('TOOL_EXECUTION_FAILED', 'This tool intentionally returns an error for testing');
  },
});
