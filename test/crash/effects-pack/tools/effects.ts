import {defineTool, ToolError, type ToolContext} from '@lumenflow/pack-sdk';

/** The call's own file, created atomically. */
async function leaveEffect({fs, receipt_id}: ToolContext): Promise<void> {
  await fs.write(`effects/${receipt_id}`, '');
}

export const look = defineTool<unknown, unknown>({run: (input) => input});

export const leave = defineTool<unknown, unknown>({
  async run(input, context) {
    await leaveEffect(context);
    return input;
  },
});

export const leaveLate = defineTool<unknown, unknown>({
  async run(input, context) {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await leaveEffect(context);
    return input;
  },
});

export const fail = defineTool<unknown, unknown>({
  run() {
    throw new ToolError('TOOL_EXECUTION_FAILED', 'as it should');
  },
});
