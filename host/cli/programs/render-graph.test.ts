import type {Program, ProgramStepRecord} from '@lumenflow/schemas';
import {expect, test} from 'vitest';
import {createStyle} from '../rendering/style.ts';
import {renderGraph} from './render-graph.ts';

const program: Program = {
  name: 'drawn',
  steps: [
    {foreach: 'inputs.paths', item: 'path', max: 5, steps: [{call: 'file:read', as: 'file'}, {let: {a: 1, b: 2}}]},
    {parallel: [[{call: 'a:b'}], [{timeout: 5, steps: [{call: 'c:d'}]}]]},
    {switch: 'x', cases: [{is: {y: 1}, steps: [{return: 'a long text '.repeat(20)}]}]},
  ],
};
const record = (step: string, state: ProgramStepRecord['state']): ProgramStepRecord => ({step, kind: 'call', state});

test('steps are drawn within the width, with the worst state of their executions', () => {
  const records = [
    record('/steps/0', 'succeeded'),
    record('/steps/0[0]/steps/0', 'failed'),
    record('/steps/0[1]/steps/0', 'succeeded'),
    record('/steps/1/parallel/0/0', 'waiting'),
  ];
  const drawn = renderGraph(program, records, createStyle({colour: false, width: 50}));
  expect(drawn).toBe(
    [
      'drawn',
      '├─ ✔ foreach path in inputs.paths',
      '│  ├─ ✘ call file:read → file ×2',
      '│  └─ ○ let a, b',
      '├─ ○ parallel',
      '│  ├─ branch 1',
      '│  │  └─ ● call a:b',
      '│  └─ branch 2',
      '│     └─ ○ timeout after 5 ms',
      '│        └─ ○ call c:d',
      '└─ ○ switch x',
      '   └─ case {"y":1}',
      '      └─ ○ return a long text a long text a long …',
    ].join('\n'),
  );
  expect(Math.max(...drawn.split('\n').map((line) => line.length))).toBeLessThanOrEqual(50);
});
