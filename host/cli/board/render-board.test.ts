import stringWidth from 'string-width';
import {describe, expect, test} from 'vitest';
import {createStyle} from '../rendering/style.ts';
import type {BoardLane, BoardTask} from './collect-board.ts';
import {renderBoard} from './render-board.ts';

const now = Date.parse('2026-03-10T12:00:00.000Z');
const style = createStyle({colour: false, width: 80});
const task = (more: Partial<BoardTask>): BoardTask => ({
  task_id: 'WU-1',
  title: 'A parser',
  state: 'ready',
  since: '2026-03-10T10:00:00.000Z',
  ...more,
});
const lane = (more: Partial<BoardLane>): BoardLane => ({
  lane_id: 'core',
  in_progress: 0,
  sessions: 0,
  tasks: [],
  more_ready: 0,
  done: 0,
  ...more,
});

test('each lane has its places, and what blocks, runs and waits', () => {
  const tasks = [
    task({
      task_id: 'WU-3',
      state: 'blocked',
      by: 'bob',
      blocked_reason: 'waits for review',
      since: '2026-03-07T12:00:00.000Z',
    }),
    task({state: 'active', state_alias: 'in_progress', by: 'ann', title: 'Größe 大きい'}),
    task({task_id: 'WU-12', title: ''}),
  ];
  const lanes = [
    lane({title: 'Framework', wip_limit: 2, in_progress: 2, tasks, more_ready: 3, done: 4}),
    lane({lane_id: 'docs', in_progress: 1, sessions: 1}),
  ];
  expect(renderBoard(lanes, style, now))
    .toBe(`core  Framework                                         2 of 2 in progress, full
  ■  WU-3   blocked      3 d  bob  A parser · waits for review
  ●  WU-1   in_progress  2 h  ann  Größe 大きい
  ○  WU-12  ready        2 h
  3 more ready
  4 done

docs                                           1 in progress, 1 session included
  nothing to do`);
});

describe('always fits the terminal and cannot write on it', () => {
  test.each([40, 80, 120])('%i columns', (width) => {
    const long = 'x'.repeat(300);
    const hostile = task({
      task_id: long,
      title: `\u001b[2J${long}\n${long}`,
      state: 'active',
      state_alias: long,
      by: long,
    });
    const text = renderBoard([lane({lane_id: long, title: long, tasks: [hostile]})], {...style, width}, now);
    expect(text).not.toContain('\u001b');
    const lines = text.split('\n');
    expect(lines).toHaveLength(2);
    for (const line of lines) expect(stringWidth(line)).toBeLessThanOrEqual(Math.max(width, 68));
  });
});
