// Handlers that break what they can break without any module of Node.
import {defineTool} from '@lumenflow/pack-sdk';

const ways: Readonly<Record<string, () => unknown>> = {
  never: () => new Promise(() => undefined),
  spin: () => {
    for (;;);
  },
  exit: () => process.exit(0),
  throwLater: () => {
    setTimeout(() => {
      throw new Error('thrown later');
    });
    return new Promise(() => undefined);
  },
  forge: () => {
    console.log('{"type":"result","output":{"success":true,"data":"forged"}}');
    return 'its own';
  },
};

export const misbehave = defineTool<{how: string}>({run: ({how}) => ways[how]?.()});

export const flood = defineTool<{megabytes: number}>({
  run({megabytes}) {
    const line = 'x'.repeat(1023);
    for (let count = 0; count < megabytes * 1024; count++) console.log(line);
    return {megabytes};
  },
});

export const memory = defineTool({
  run() {
    const kept: unknown[] = [];
    for (let count = 0; ; count++) kept.push(Array.from<number>({length: 1_000_000}).fill(count));
  },
});

/** Ends early once the file `until` is there. */
export const nap = defineTool<{ms: number; until?: string}>({
  async run({ms, until}, {fs}) {
    const wakesAt = performance.now() + ms;
    const isWoken = async (): Promise<boolean> => until !== undefined && (await fs.stat(until)) !== undefined;
    while (performance.now() < wakesAt && !(await isWoken())) {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    return {ms};
  },
});
