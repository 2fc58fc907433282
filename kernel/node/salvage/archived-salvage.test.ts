// Damage behind lines that are in the archive: they are read there, and stay as they are.
import {cpSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, afterEach, beforeAll, beforeEach, describe, expect, test} from 'vitest';
import {createArchivedHome, later, type ArchivedHome} from '../archiving/archived-state.fixture.ts';
import {createProcessRegistry} from '../lock/process-registry.ts';
import type {LogName} from '../log/log-name.ts';
import {fillArchived, openSmall, recordTask} from './archived-logs.fixture.ts';
import {logFilesOf} from './log-files.ts';
import type {Salvage} from './put-aside.ts';
import {damageOf, salvageState} from './salvage-state.ts';

const order = {by: 'ann', at: later.at, reason: 'a disk failed'};
const logs: readonly LogName[] = ['events', 'traces'];
/** Copied for each test. */
let template: ArchivedHome;
let home: ArchivedHome;
/** How many lines of each log are archived. */
let archived: Record<LogName, number>;

beforeAll(async () => {
  template = createArchivedHome();
  archived = await fillArchived(template);
});
afterAll(() => template.remove());
beforeEach(() => {
  home = createArchivedHome();
  cpSync(template.root, home.root, {recursive: true});
});
afterEach(() => home.remove());

function salvage(): Promise<readonly Salvage[]> {
  return salvageState({stateFolder: home.stateFolder, processes: createProcessRegistry(), order, archive: home.store});
}

/** Segments of a log that are not archived. */
function segments(log: LogName): readonly string[] {
  const {folder} = logFilesOf(home.stateFolder, log);
  const names = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
  return names.toSorted().map((name) => join(folder, name));
}

function changePrev(path: string): void {
  const bytes = readFileSync(path);
  const at = bytes.indexOf('"prev":"') + 10;
  bytes[at] = bytes[at] === 0x30 ? 0x31 : 0x30;
  writeFileSync(path, bytes);
}

const damages: Readonly<Record<string, (paths: readonly string[]) => void>> = {
  'zeros in its first segment here': ([path = '']) => writeFileSync(path, Buffer.alloc(200)),
  'a changed `prev` in its first line here': ([path = '']) => changePrev(path),
  'no segment here': (paths) => paths.forEach((path) => rmSync(path)),
};

describe.each(logs)('a log of %s that is partly archived, with', (log) => {
  test.each(Object.entries(damages))('%s continues after the archived lines', async (_, damage) => {
    expect(archived[log]).toBeGreaterThan(2);
    damage(segments(log));
    expect(await damageOf(home.stateFolder, home.store)).toMatchObject([{log}]);
    const [salvaged, ...others] = await salvage();
    expect(others).toEqual([]);
    expect(salvaged?.manifest).toMatchObject({log, position: {seq: archived[log], offset: 0}});
    expect(readdirSync(join(home.stateFolder, 'tasks')).toSorted()).toEqual(
      ['a', 'b', 'c', ...(log === 'events' ? [] : ['d'])].map((id) => `${id}.yaml`),
    );
    expect(await salvage()).toEqual([]);

    const state = await openSmall(home);
    await recordTask(state, 'e');
    const receipt = await state.evidence.receipt('call-a');
    expect(await state.contents.get(receipt?.started.input_ref ?? '')).toBe('{"id":"call-a"}');
    const events = await state.events.read({});
    expect(events.map(({seq}) => seq)).toEqual(events.map((_, at) => at + 1));
    expect(events.filter(({type}) => type === 'evidence_salvaged')).toMatchObject([{log, kept_lines: archived[log]}]);
    await state.close();
    expect(await home.verify()).toMatchObject({
      status: 'truncated',
      findings: [expect.stringContaining('were salvaged at')],
    });
  });
});

test('sessions are found in archived records, too', async () => {
  damages['no segment here']?.(segments('events'));
  const [salvaged] = await salvage();
  expect(salvaged?.manifest.sessions).toEqual(['session-1']);
});

test.each(['without the archive', 'with a changed object'])('%s, nothing is cut', async (name) => {
  damages['zeros in its first segment here']?.(segments('traces'));
  const before = everything();
  const [key = ''] = await home.store.list('traces/');
  const path = join(home.root, 'archive', key);
  if (name === 'with a changed object') writeFileSync(path, readFileSync(path, 'utf8').replace('call-a', 'call-x'));
  const refused =
    name === 'without the archive'
      ? {code: 'LOG_UNAVAILABLE', message: expect.stringContaining('set `archive` in workspace.yaml')}
      : {code: 'LOG_CORRUPT', message: expect.stringContaining(`contains something else as \`${key}\``)};
  const store = name === 'without the archive' ? undefined : home.store;
  await expect(
    salvageState({stateFolder: home.stateFolder, processes: createProcessRegistry(), order, archive: store}),
  ).rejects.toMatchObject(refused);
  expect(everything()).toEqual(before);
});

/** The lines that are here. */
function everything(): readonly string[] {
  return logs.flatMap((log) => segments(log).map((path) => readFileSync(path, 'latin1')));
}
