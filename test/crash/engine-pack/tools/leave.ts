import {defineTool} from '@lumenflow/pack-sdk';

/** So that processes are killed while calls are open. */
const slowMs = 100;

export const leave = defineTool<{readonly key: string}, {readonly key: string}>({
  async run({key}, {fs, receipt_id}) {
    await new Promise((resolve) => setTimeout(resolve, slowMs));
    await fs.write(`effects/${key}.${receipt_id}`, '');
    return {key};
  },
});
