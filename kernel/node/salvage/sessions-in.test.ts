import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {sessionsIn} from './sessions-in.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'lumenflow-sessions-'));
});
afterEach(() => rmSync(root, {recursive: true}));

test('sessions are found in lines that are no longer JSON', () => {
  const path = join(root, 'segment');
  const line = (session: string): string => `{"type":"task_claimed","session_id":"${session}"}`;
  const tainted = '{"taints":[{"of":"session c"},{"of":"task t"},{"of":"programs d"},{"of":"store p/notes"}]}';
  writeFileSync(path, `${line('b')}\n${line('a').slice(9)}\n\0\0${tainted.slice(4, -3)}\n${line('b')}`);
  expect(sessionsIn([path, join(root, 'missing')])).toEqual(['a', 'b', 'c', 'd']);
  expect(sessionsIn([])).toEqual([]);
});
