// A thread that is ended many times, as by a call that is killed, times out and closes with its backend.
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {WasmThread} from './wasm-thread.ts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'wasm-thread-'))));
afterAll(() => rmSync(folder, {recursive: true}));

test('ending it again adds no listeners', async () => {
  const program = join(folder, 'waits.cjs');
  writeFileSync(program, 'setInterval(() => undefined, 1000);');
  const warnings: string[] = [];
  const onWarning = ({name}: Error): void => void warnings.push(name);
  process.on('warning', onWarning);
  const thread = new WasmThread(program, () => undefined);
  const {kill, ended} = thread.serve({memoryBytes: 1, outputBytes: 1, openFiles: 1, fileSizeBytes: 1});
  for (let count = 0; count < 20; count += 1) kill();
  expect(await ended).toEqual({exitCode: 137, signal: 'SIGKILL'});
  await thread.ended;
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});
