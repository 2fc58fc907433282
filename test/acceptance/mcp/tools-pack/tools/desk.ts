// Handlers for what an MCP client can meet.
import {defineTool} from '@lumenflow/pack-sdk';

export const add = defineTool<{a?: number; b?: number}, {sum: number}>({
  run: ({a = 0, b = 0}) => ({sum: a + b}),
});

export const note = defineTool<{path: string}, string>({
  async run({path}, {fs}) {
    await fs.write(path, 'noted\n');
    return 'noted';
  },
});

export const large = defineTool<{size: number}, {text: string}>({
  run: ({size}) => ({text: 'x'.repeat(size)}),
});

export const chat = defineTool<unknown, readonly string[]>({
  async run(_input, context) {
    console.log('printed by a handler');
    await context.progress({percent: 25});
    await context.progress({percent: 75, message: 'nearly'});
    // A client that reads the answer together with the last report drops the report: it listens no more.
    await new Promise((resolve) => setTimeout(resolve, 100));
    return ['said'];
  },
});

export const wait = defineTool<unknown, string>({
  async run(_input, {fs, signal}) {
    await fs.write('notes/waits', '');
    await new Promise((resolve) => signal.addEventListener('abort', resolve, {once: true}));
    return 'cancelled';
  },
});
