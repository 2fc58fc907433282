// Notes as files of the workspace.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';

interface Place {
  readonly path: string;
}

export const read: ToolDefinition<Place, string> = defineTool({
  run: async ({path}, {fs}) => await fs.readText(path),
});

export const add: ToolDefinition<Place & {readonly line: string}, {readonly lines: number}> = defineTool({
  async run({path, line}, {fs, progress}) {
    const before = (await fs.stat(path)) === undefined ? '' : await fs.readText(path);
    const text = `${before}${line}\n`;
    await fs.write(path, text);
    await progress('written');
    return {lines: text.split('\n').length - 1};
  },
});

export const remove: ToolDefinition<Place, null> = defineTool({
  async run({path}, {fs}) {
    await fs.remove(path);
    return null;
  },
});
