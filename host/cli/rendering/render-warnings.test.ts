import type {Problem} from '@lumenflow/kernel';
import {expect, it} from 'vitest';
import {renderWarnings} from './render-warnings.ts';
import {createStyle} from './style.ts';

const style = createStyle({colour: false, width: 80});
const warning = (code: string, where: string): Problem => ({code, severity: 'warning', message: 'm', where, help: 'h'});

it('reports unpinned packs together, with every position', () => {
  const pins = Array.from({length: 9}, (_, index) => warning('PACK_NOT_PINNED', `workspace.yaml:${index + 10}:5`));
  expect(renderWarnings(pins.slice(0, 2), style)).toBe(
    '! not pinned (dev), so any change is loaded: workspace.yaml:10:5,\nworkspace.yaml:11:5',
  );
  for (const {where} of pins) expect(renderWarnings(pins, style)).toContain(where);
});

it('reports all others in full, and nothing of nothing', () => {
  const reported = renderWarnings([warning('PACK_NOT_PINNED', 'w.yaml:1:1'), warning('OTHER', 'w.yaml:2:1')], style);
  expect(reported.split('\n')).toHaveLength(4);
  expect(reported).toContain('fix: h');
  expect(renderWarnings([], style)).toBe('');
});
