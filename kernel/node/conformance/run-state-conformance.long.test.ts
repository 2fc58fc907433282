// The suite fails a state with a defect: each of these breaks one promise, and the case that asks for it says so.
import {mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openFileState} from '../state/open-file-state.ts';
import type {WorkspaceState} from '../state/workspace-state.ts';
import {runStateConformance, stateCases} from './run-state-conformance.ts';

interface Defect {
  readonly what: string;
  /** A case that must fail. */
  readonly found: string;
  breakState(state: WorkspaceState): Partial<WorkspaceState>;
}

const defects: readonly Defect[] = [
  {
    what: 'reads events without the limit',
    found: 'events are read after a sequence number, up to a limit',
    breakState: ({events}) => ({events: wrap(events, {read: ({afterSeq = 0}) => events.read({afterSeq})})}),
  },
  {
    what: 'never refreshes',
    found: 'a process decides on what others appended before, and receives it on refresh',
    breakState: ({events}) => ({events: wrap(events, {refresh: () => undefined})}),
  },
  {
    what: 'drops the second record of a group',
    found: 'a receipt has all records of its call, in one chain with those of other calls',
    breakState: ({evidence}) => ({
      evidence: wrap(evidence, {append: (records, options) => evidence.append(records.slice(0, 1), options)}),
    }),
  },
  {
    what: 'trims contents',
    found: 'contents of any size are stored unchanged',
    breakState: ({contents}) => ({contents: wrap(contents, {put: (text) => contents.put(text.slice(0, 1_000))})}),
  },
  {
    what: 'creates a task again',
    found: 'a task spec is created once, even if two processes try',
    breakState: ({tasks}) => ({tasks: wrap(tasks, {create: (spec) => tasks.amend(spec)})}),
  },
  {
    what: 'takes every process for alive',
    found: 'the next process finds everything that was recorded before a process was killed',
    breakState: ({processes}) => ({processes: wrap(processes, {isAlive: () => true})}),
  },
];

/** `part`, with some of its methods replaced; the others keep their `this`. */
function wrap<Part extends object>(part: Part, replaced: Partial<Part>): Part {
  return new Proxy(part, {
    get(target, key) {
      const value: unknown = Reflect.get(key in replaced ? replaced : target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function failuresOf(breakState: Defect['breakState']): Promise<readonly string[]> {
  const failures: string[] = [];
  const runs: (() => Promise<void>)[] = [];
  runStateConformance({
    create() {
      const folder = mkdtempSync(join(tmpdir(), 'lumenflow-conformance-'));
      return {
        async open(processes) {
          const state = await openFileState({stateFolder: join(folder, 'state'), processes, durability: 'process'});
          return wrap<WorkspaceState>(state, breakState(state));
        },
        remove: () => rmSync(folder, {recursive: true}),
      };
    },
    register: (name, run) => runs.push(() => run().catch(() => void failures.push(name))),
  });
  for (const run of runs) await run();
  return failures;
}

test('a state on files passes every case', async () => {
  expect(await failuresOf(() => ({}))).toEqual([]);
});

test.each(defects)('a state that $what fails', async ({found, breakState}) => {
  expect(stateCases.map(({name}) => name)).toContain(found);
  expect(await failuresOf(breakState)).toContain(found);
});
