import {defineTool} from '@lumenflow/pack-sdk';

export const broker = defineTool<{files: Record<string, string>}, {written: number}>({
  async run({files}, {fs}) {
    for (const [path, content] of Object.entries(files)) await fs.write(path, content);
    return {written: Object.keys(files).length};
  },
});
