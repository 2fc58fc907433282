import {defineTool} from '@lumenflow/pack-sdk';

export const writeLetter = defineTool<{order: string; text: string}, {path: string}>({
  async run({order, text}, {fs}) {
    const path = `letters/${order}.txt`;
    await fs.write(path, `${text}\n`);
    return {path};
  },
});
