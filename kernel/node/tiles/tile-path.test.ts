import {expect, test} from 'vitest';
import {tilePath} from './tile-path.ts';

test.each([
  [{level: 0, index: 0, width: 256}, 'tile/0/000'],
  [{level: 0, index: 0, width: 1}, 'tile/0/000.p/1'],
  [{level: 2, index: 999, width: 255}, 'tile/2/999.p/255'],
  [{level: 1, index: 1000, width: 256}, 'tile/1/x001/000'],
  [{level: 'entries', index: 1_234_067, width: 256}, 'tile/entries/x001/x234/067'],
] as const)('%j', (tile, path) => {
  expect(tilePath(tile)).toBe(path);
});
