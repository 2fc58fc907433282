// The desk's file tools.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';

export const read: ToolDefinition<{readonly path: string}, string> = defineTool({
  run: async ({path}, {fs}) => await fs.readText(path),
});

export const write: ToolDefinition<{readonly path: string; readonly text: string}, {readonly written: string}> =
  defineTool({
    async run({path, text}, {fs}) {
      await fs.write(path, text);
      return {written: path};
    },
  });

export const wipe: ToolDefinition<{readonly path: string}, {readonly wiped: string}> = defineTool({
  async run({path}, {fs}) {
    await fs.write(path, '');
    return {wiped: path};
  },
});
