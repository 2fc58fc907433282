// Handlers on the files of the workspace.
import {defineTool, ToolError} from '@lumenflow/pack-sdk';

interface Named {
  readonly path: string;
}

export const read = defineTool<Named, {text: string}>({
  async run({path}, {fs}) {
    return {text: await fs.readText(path)};
  },
});

export const edit = defineTool<Named & {old_text: string; new_text: string}, Named>({
  async run({path, old_text, new_text}, {fs}) {
    const text = await fs.readText(path);
    if (!text.includes(old_text)) throw new ToolError('TEXT_NOT_FOUND', `\`${path}\` does not have this text`);
    await fs.write(path, text.replace(old_text, new_text));
    return {path};
  },
});

export const remove = defineTool<Named, Named>({
  async run({path}, {fs}) {
    await fs.remove(path);
    return {path};
  },
});

export const write = defineTool<{path: string; content: string}, {written: boolean}>({
  async run({path, content}, {fs}) {
    await fs.write(path, content);
    return {written: true};
  },
});
