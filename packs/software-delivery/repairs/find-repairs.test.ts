import {expect, test} from 'vitest';
import type {KernelTask} from '../work-units/kernel-tasks.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import {claimed, completed, created, given} from '../work-units/work-unit-events.fixture.ts';
import {findRepairs, type Seen} from './find-repairs.ts';

const ready = given(created(1));
const held = given(created(1), claimed(1, 1));
const away = given(created(1), {...claimed(1, 1), origin: 'there'} as WuEvent);
const done = given(created(1), completed(1));
const task = (state: KernelTask['state'], holder?: string): KernelTask => ({
  state,
  ...(holder !== undefined && {holder}),
});

const cases: readonly (readonly [string, Seen & {readonly state: typeof ready}, readonly string[]])[] = [
  ['nothing', {state: ready, task: task('ready'), specHash: 'hash-1'}, []],
  ['nothing while it is held', {state: held, task: task('active', 's1'), specHash: 'hash-1'}, []],
  ['nothing of a done one without its task', {state: done, task: undefined, specHash: 'hash-1'}, []],
  [
    'a lost file',
    {state: ready, task: task('ready'), specHash: undefined},
    ['write-spec: its spec is not in the working tree'],
  ],
  [
    'an edited file',
    {state: ready, task: task('ready'), specHash: 'other'},
    ['record-spec: its spec differs from the record'],
  ],
  ['no edit in mid-work', {state: held, task: task('active', 's1'), specHash: 'other'}, []],
  ['a lost task', {state: ready, task: undefined, specHash: 'hash-1'}, ['create-task: it has no task in the kernel']],
  [
    'a task that is done',
    {state: held, task: task('done'), specHash: 'hash-1'},
    ['complete: its task is done, but it is in_progress'],
  ],
  [
    'a claim cut short',
    {state: held, task: task('ready'), specHash: 'hash-1'},
    ['release: it is in_progress, but its task is claimed by no session'],
  ],
  [
    'another holder',
    {state: held, task: task('blocked', 's2'), specHash: 'hash-1'},
    ['release: it is in_progress, but its task is claimed by session `s2`'],
  ],
  [
    'a ready task of a done one',
    {state: done, task: task('ready'), specHash: 'hash-1'},
    ['cancel-task: it was completed in another clone'],
  ],
  ['nothing of the file of a done one', {state: done, task: undefined, specHash: undefined}, []],
  ['nothing of a claim in another clone', {state: away, task: task('ready'), specHash: 'hash-1'}, []],
  [
    'a task that is claimed here, while another clone has the work unit',
    {state: away, task: task('active', 's1'), specHash: 'hash-1'},
    ['release-task: it is in_progress, but its task is claimed by session `s1`'],
  ],
  [
    'a claim past the pack',
    {state: ready, task: task('active', 's2'), specHash: 'hash-1'},
    ['release-task: it is ready, but its task is claimed by session `s2`'],
  ],
];

test.each(cases)('finds %s', (_, {state, ...seen}, expected) => {
  const unit = state.units['WU-1'];
  if (unit === undefined) throw new Error('no unit');
  const needs = findRepairs(unit, seen);
  expect(needs.map(({repair, problem}) => `${repair}: ${problem}`)).toEqual(expected);
});
