import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {RecordTable, type TableState} from './record-table.ts';

const numRuns = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300);

interface Example {
  readonly isOpen: boolean;
  readonly text: string;
}

const isOpen = (value: Example): boolean => value.isOpen;

function restarted(table: RecordTable<Example>): RecordTable<Example> {
  const state = JSON.parse(JSON.stringify(table.state())) as TableState<Example>;
  return new RecordTable(isOpen, state, table.closedLines());
}

const key = fc.oneof(fc.constantFrom('a', 'ab', 'a"', 'a,', 'a\\', 'b\n', '', '__proto__', 'é'), fc.string());
const value = fc.record({isOpen: fc.boolean(), text: fc.string({unit: 'binary'})});
const step = fc.oneof(
  {weight: 6, arbitrary: fc.tuple(key, value)},
  {weight: 1, arbitrary: fc.constant('restart' as const)},
  {weight: 1, arbitrary: fc.constant('list' as const)},
);

test('a table is a map in order of appearance, with restarts anywhere', () => {
  fc.assert(
    fc.property(fc.array(step, {maxLength: 60}), fc.array(key), (steps, others) => {
      const model = new Map<string, Example>();
      let table = new RecordTable(isOpen);
      for (const each of steps) {
        if (each === 'restart') table = restarted(table);
        else if (each === 'list') expect([...table.values()]).toEqual([...model.values()]);
        else {
          model.set(...each);
          table.set(...each);
        }
      }
      for (const wanted of [...model.keys(), ...others]) {
        expect(table.get(wanted)).toEqual(model.get(wanted));
        expect(table.has(wanted)).toBe(model.has(wanted));
      }
      const open = [...model.values()].filter(isOpen);
      expect(new Set(table.open())).toEqual(new Set(open));
      expect([...restarted(table).open()]).toEqual(open);
      expect([...restarted(table).values()]).toEqual([...model.values()]);
    }),
    {numRuns},
  );
});
