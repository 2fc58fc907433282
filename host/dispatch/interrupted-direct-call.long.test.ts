import {spawn} from 'node:child_process';
import {existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {fileURLToPath} from 'node:url';
import {afterEach, beforeEach, expect, test} from 'vitest';
import {openTransactionBench, type TransactionBench} from './transactional-writes.fixture.ts';

const program = fileURLToPath(new URL('./transactional-writes-host.fixture.ts', import.meta.url));
const notes = '.lumenflow/direct-calls';

let bench: TransactionBench;
beforeEach(() => {
  bench = openTransactionBench();
});
afterEach(async () => await bench.close());

const at = (path: string): string => join(bench.root, path);
const noted = (): readonly string[] => (existsSync(at(notes)) ? readdirSync(at(notes)) : []);

/** Starts a host that makes a direct call, and kills it once the call has written `done`. */
async function killInMidCall(script: string): Promise<void> {
  const text = `${script}; echo > done; sleep 60`;
  const args = ['--conditions=@lumenflow/source', '--import', 'tsx', program, bench.root, text, '**', 'direct'];
  const host = spawn(process.execPath, args, {stdio: 'inherit'});
  const ended = new Promise((resolve) => host.once('close', resolve));
  while (!existsSync(at('done')) && host.exitCode === null) await delay(5);
  host.kill('SIGKILL');
  await ended;
}

test("the next host quarantines the files that a killed host's call planted", async () => {
  writeFileSync(at('.npmrc'), 'ours');
  await killInMidCall('mkdir -p new/.git/hooks; echo x > new/.git/hooks/pre-commit; echo x > .envrc');
  expect(existsSync(at('.envrc'))).toBe(true);
  expect(noted()).toHaveLength(1);
  const next = openTransactionBench(bench.root);
  await next.ready;
  expect(next.recovered).toMatchObject([{kind: 'undone', paths: ['.envrc', 'new/.git/hooks']}]);
  expect([existsSync(at('.envrc')), existsSync(at('new/.git/hooks')), readFileSync(at('.npmrc'), 'utf8')]).toEqual([
    false,
    false,
    'ours',
  ]);
  expect(readFileSync(at(`${next.recovered[0]?.where ?? ''}/.envrc`), 'utf8')).toBe('x\n');
  expect(noted()).toEqual([]);
  await next.endHost();
});

test('an unsigned note moves nothing, and no call can write a signed one', async () => {
  await killInMidCall('echo x > .envrc');
  const [name = ''] = noted();
  writeFileSync(
    at(`${notes}/${name}`),
    readFileSync(at(`${notes}/${name}`), 'utf8').replace('"guarded":[', '"guarded":["/a",'),
  );
  const next = openTransactionBench(bench.root);
  await next.ready;
  expect(next.recovered).toMatchObject([{kind: 'set_aside', where: `${notes}/${name}`}]);
  expect(existsSync(at('.envrc'))).toBe(true);
  mkdirSync(at('sub'));
  const {output} = await next.run({
    input: {script: `for d in . sub; do mkdir -p $d/${notes}; echo x > $d/${notes}/0a.1.2.3.0b~forged; done`},
    writes: 'direct',
  });
  expect(output.success).toBe(false);
  expect([...noted(), ...(existsSync(at('sub/.lumenflow')) ? ['sub'] : [])]).toEqual([name]);
  await next.endHost();
});

test('no note is left once a call is over', async () => {
  expect((await bench.run({input: {script: 'echo x > work'}, writes: 'direct'})).output.success).toBe(true);
  expect(noted()).toEqual([]);
});
