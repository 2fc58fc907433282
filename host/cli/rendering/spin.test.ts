import {setTimeout as sleep} from 'node:timers/promises';
import {describe, expect, it} from 'vitest';
import {spin} from './spin.ts';

function recorder() {
  const written: string[] = [];
  return {written, stream: {write: (text: string) => written.push(text), columns: 30}};
}

describe('spin', () => {
  it('draws while work is long, with what it says, and wipes its line', async () => {
    const {written, stream} = recorder();
    const result = await spin({stream, isShown: true}, 'begin', async (say) => {
      say(`half\u001b[2J ${'x'.repeat(50)}`);
      await sleep(500);
      return 7;
    });
    expect(result).toBe(7);
    expect(written.join('')).toContain('half\\x1b[2J xxx');
    expect(written.at(-1)).toBe('\r\u001b[2K');
  });

  it('writes nothing when it is not shown, and stops when work fails', async () => {
    const {written, stream} = recorder();
    await expect(spin({stream, isShown: false}, 'x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    await expect(spin({stream, isShown: true}, 'x', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(written).toEqual([]);
  });
});
