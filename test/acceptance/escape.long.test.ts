// Tests the escape suite itself with a few attacks: its harness must find bubblewrap tight, and a backend without enforcement
// open.
import {spawnSync} from 'node:child_process';
import {mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {describe, expect, test} from 'vitest';
import {makeAttacks, selectAttacks, type AttackResult, type Status} from '../escape/make-attacks.ts';
import {boundedMs, inProcessMs, makeWorkspace} from '../escape/make-workspace.ts';
import {openResultFile} from '../escape/result-file.ts';
import {judgeRun, resultTable} from '../escape/result-table.ts';

const names = ['dotenv', 'write-absolute', 'change-git-hooks-pre-commit', 'off-tcp', 'see-processes', 'host-environ'];
const own = {name: 'this user', uid: undefined};
const canTry = ['unshare', 'perl', 'bwrap'].every((program) => spawnSync(program, ['--version']).status === 0);
if (!canTry) process.stderr.write('skipped: the escape suite needs bubblewrap and util-linux\n');

describe.skipIf(process.platform !== 'linux' || !canTry)('the escape suite', () => {
  async function statuses(backend: SandboxBackendName, tried = names, atOnce = 1): Promise<Record<string, Status>> {
    const attacks = selectAttacks({groups: [], names: tried, quick: true});
    const results = await makeAttacks({backend, user: own, attacks, atOnce});
    expect(results).toHaveLength(tried.length);
    return Object.fromEntries(results.map(({name, status}) => [name, status]));
  }
  const all = (status: Status): Record<string, Status> => Object.fromEntries(names.map((name) => [name, status]));

  test('bubblewrap blocks what works unsandboxed', async () => {
    expect(await statuses('bubblewrap')).toEqual(all('held'));
  });

  test('several machines make each attack once', async () => {
    expect(await statuses('bubblewrap', names, 2)).toEqual(all('held'));
  });

  test('a backend that blocks nothing is detected', async () => {
    expect(await statuses('unsafe-host')).toEqual(all('succeeded'));
  });

  test('a backend that cannot run a call has blocked nothing', async () => {
    expect(await statuses('seatbelt', ['dotenv'])).toEqual({dotenv: 'not_tried'});
  });

  test('a machine that does not start is a result of each attack', async () => {
    const attacks = selectAttacks({groups: [], names: names.slice(0, 3), quick: true});
    const results = await makeAttacks({backend: 'bubblewrap', user: {name: 'nobody', uid: -1}, attacks});
    expect(results.map(({status}) => status)).toEqual(['no_machine', 'no_machine', 'no_machine']);
    expect(results[0]?.said).toContain('cannot become -1');
  });
});

test('where calls start slowly, they have more time, and less than the harness waits', () => {
  const root = mkdtempSync(join(tmpdir(), 'lumenflow-patience-'));
  makeWorkspace(root, {guarded: true, patience: 10, direct: false, backends: undefined});
  const timeouts = (pack: string): readonly number[] => {
    const manifest = readFileSync(join(root, 'packs', pack, 'manifest.yaml'), 'utf8');
    return [...new Set([...manifest.matchAll(/timeout_ms: (\d+)/g)].map(([, ms]) => Number(ms)))];
  };
  // 60 s are ten minutes, which the harness does not wait for.
  const longer = [240_000, boundedMs * 10, inProcessMs * 10];
  expect([timeouts('attack'), timeouts('trusted')]).toEqual([longer, longer]);
  rmSync(root, {recursive: true});
});

test('attacks are named once in their group, and there are more than 100 of them', () => {
  const ids = selectAttacks({groups: [], quick: false}).map(({group, attack}) => `${group}/${attack.name}`);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(100);
  expect(selectAttacks({groups: ['ipc'], quick: true}).every(({group}) => group === 'ipc')).toBe(true);
});

test('what can succeed in direct calls is listed in the docs, and has a transactional counterpart that fails', () => {
  const all = selectAttacks({groups: [], quick: false}).map(({attack}) => attack);
  const documented = all.filter((attack) => attack.documented).map(({name}) => name);
  const text = readFileSync(join(import.meta.dirname, '../../docs/sandbox.md'), 'utf8');
  const table = text.split('| attack | what it does |')[1]?.split('\n\n')[0] ?? '';
  const column = table.split('\n').map((row) => row.split('|')[1] ?? '');
  const listed = column.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, name]) => name));
  expect(new Set(listed)).toEqual(new Set(documented));
  for (const name of documented) {
    expect(all.find((attack) => attack.name === `held-${name}`)).toMatchObject({lanes: ['held']});
  }
});

describe('the verdict', () => {
  const result = (status: Status, name = 'a'): AttackResult => ({
    group: 'ipc',
    name,
    title: 'tries',
    user: 'root',
    status,
    said: 'EPERM',
    milliseconds: 1,
    warm: 0,
  });

  test('one success, one call without an attack, or no attempt is a failure', () => {
    expect(judgeRun([result('held')], false)).toMatchObject({holds: true, held: 1, really_tried: 1});
    for (const status of ['succeeded', 'not_tried', 'no_machine'] as const) {
      expect(judgeRun([result('held'), result(status)], false).holds).toBe(false);
    }
    expect(judgeRun([result('held'), result('refused')], false)).toMatchObject({holds: true, tried: 1, refused: 1});
    expect(judgeRun([result('refused')], false)).toMatchObject({holds: false, tried: 0});
    expect(judgeRun([result('documented')], false)).toMatchObject({holds: true, documented: 1, really_tried: 1});
    expect(judgeRun([result('impossible')], false)).toMatchObject({
      holds: false,
      problems: ['no attack could be tried'],
    });
  });

  test('a run continues with the results that its file contains, and repeats what it could not try', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lumenflow-results-'));
    const path = join(folder, 'results');
    const {known, add} = openResultFile(path, 'runc');
    expect(known).toEqual([]);
    for (const one of [result('held'), result('no_machine', 'b'), result('not_tried', 'c')]) add(one);
    expect(openResultFile(path, 'runc').known).toMatchObject([result('held')]);
    expect(openResultFile(path, 'crun').known).toEqual([]);
    rmSync(folder, {recursive: true});
  });

  test('a whole run must really try 100 different attacks', () => {
    const held = Array.from({length: 100}, (_, index) => result('held', String(index)));
    expect(judgeRun(held, true).holds).toBe(true);
    expect(judgeRun([...held.slice(1), result('impossible')], true).holds).toBe(false);
  });

  test('the table fits 80 columns and names what failed, and why what is impossible is so', () => {
    const table = resultTable([result('succeeded', 'open'), result('impossible', 'far')], 'bubblewrap');
    expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    expect(table).toMatch(/Succeeded\n {2}ipc\/open \(root\): tries/);
    expect(table).toMatch(/Impossible.*\n {2}ipc\/far .*\n {6}EPERM/);
  });
});
