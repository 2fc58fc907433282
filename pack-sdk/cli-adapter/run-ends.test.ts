// How a run ends: with the status and the output that the command's own process would have had.
import {readFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test, vi} from 'vitest';
import {makeCommandFolder, type CommandFolder} from './command-folder.fixture.ts';

let folder: CommandFolder;
beforeAll(() => void (folder = makeCommandFolder()));
afterAll(() => folder.remove());

test.each([
  ['nothing', ``, 0],
  ['process.exit with a code', `process.exit(4)`, 4],
  ['process.exit without a code', `process.exitCode = 5; process.exit()`, 5],
  ['process.exitCode', `process.exitCode = 6`, 6],
  ['process.exitCode as text', `process.exitCode = '7'`, 7],
  ['process.exitCode set late', `setTimeout(() => { process.exitCode = 8 }, 5)`, 8],
  ['a code beyond a byte', `process.exit(256 + 9)`, 9],
  ['a negative code', `process.exit(-1)`, 255],
  ['an exit that is swallowed', `try { process.exit(10) } catch {}`, 10],
  ['an exit that is swallowed, and another', `try { process.exit(11) } catch {} process.exit(0)`, 11],
  ['an exit in a rejected promise', `await Promise.reject().catch(() => process.exit(12)).catch(() => {})`, 12],
  ['an exit in a timer', `setTimeout(() => process.exit(13), 5)`, 13],
  [
    'an exit in a timer that an await waits past',
    `setTimeout(() => process.exit(14), 5); await new Promise(() => {})`,
    14,
  ],
  ['reallyExit', `process.reallyExit(15)`, 15],
  ['an exit listener that sets the code', `process.on('exit', () => { process.exitCode = 16 })`, 16],
  ['an exit listener that exits', `process.on('exit', () => process.exit(17)); process.exit(1)`, 17],
  ['a child that exits', `child_process.spawn('sh', ['-c', 'exit 18']).on('exit', (code) => process.exit(code))`, 18],
  [
    'an invalid code',
    `try { process.exit('nineteen') } catch (error) { process.exit(error.code === 'ERR_INVALID_ARG_TYPE' ? 19 : 0) }`,
    19,
  ],
])('%s', async (_what, source, status) => {
  const result = await folder.main(source);
  expect(result).toEqual({ok: status === 0, status, stdout: '', stderr: ''});
});

test.each([
  ['thrown by main', `throw new Error('no such thing')`],
  ['thrown in a timer', `setTimeout(() => { throw new Error('no such thing') }, 5)`],
  [
    'a rejection that nobody handles',
    `Promise.reject(new Error('no such thing')); await new Promise((done) => setTimeout(done, 50))`,
  ],
  ['thrown by an exit listener', `process.on('exit', () => { throw new Error('no such thing') })`],
  ['thrown by a beforeExit listener', `process.on('beforeExit', () => { throw new Error('no such thing') })`],
])('an error %s is status 1 and is reported', async (_what, source) => {
  const result = await folder.main(`process.on('exit', (code) => console.log('exit', code));\n${source}`);
  expect(result).toMatchObject({ok: false, status: 1, execution_error: 'no such thing'});
  expect(result.stderr).toMatch(/^Uncaught Error: no such thing\n {4}at .*command-/u);
  expect(result.stderr).not.toMatch(/cli-adapter\/(?:run-to-end|script-loader|process-runs)/u);
});

test('an error without a position in its own code still begins with what happened', async () => {
  const {stderr} = await folder.main(
    `await import('node:module').then(({createRequire}) => createRequire('/x.js')('./no.cjs'))`,
  );
  expect(stderr).toMatch(/^Uncaught Error: Cannot find module '\.\/no\.cjs'\n/u);
});

test('a mistake of syntax is named before its position', async () => {
  const {stderr} = await folder.main(`new (await import('node:vm')).Script('const x = ;', {filename: 'late.js'})`);
  expect(stderr).toMatch(/^Uncaught SyntaxError: .*\nlate\.js:1\n/u);
});

test('an error with a listener of the command is not a failure', async () => {
  const result = await folder.main(`
    process.on('uncaughtException', (error) => console.log('caught', error.message));
    setTimeout(() => { throw new Error('one') }, 1);`);
  expect(result).toEqual({ok: true, status: 0, stdout: 'caught one\n', stderr: ''});
});

test('what is printed after an exit does not count', async () => {
  const result = await folder.main(`console.log('before'); try { process.exit() } catch { console.log('after') }`);
  expect(result.stdout).toBe('before\n');
});

test.each([
  ['timers', `setTimeout(() => console.log('late'), 20)`],
  [
    'files',
    `fs.readFile(import.meta.filename, () => fs.promises.readFile(import.meta.filename).then(() => console.log('late')))`,
  ],
  ['compressors', `zlib.gzip('x'.repeat(1e6), () => console.log('late'))`],
  ['children', `child_process.exec('sleep 0.1; echo x', (error, out) => console.log(error ?? 'late'))`],
  ['key derivation', `(await import('node:crypto')).scrypt('a', 'b', 32, () => console.log('late'))`],
  [
    'threads',
    `new (await import('node:worker_threads')).Worker('setTimeout(() => console.log("late"), 20)', {eval: true})`,
  ],
  ['WebAssembly', `WebAssembly.compile(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])).then(() => console.log('late'))`],
  [
    'sockets',
    `const server = (await import('node:net')).createServer((socket) => { socket.end(); server.close(() => console.log('late')) });
     server.listen(0, '127.0.0.1', async () => (await import('node:net')).connect(server.address().port, '127.0.0.1').resume())`,
  ],
  ['a beforeExit listener', `process.once('beforeExit', () => setTimeout(() => console.log('late'), 5))`],
])('main returns before %s are through: the run waits', async (_what, source) => {
  expect(await folder.main(source)).toEqual({ok: true, status: 0, stdout: 'late\n', stderr: ''});
});

test('resources that do not keep a process alive do not keep the run alive', async () => {
  const result = await folder.main(`setInterval(() => {}, 10_000).unref(); zlib.createGzip().write('x')`);
  expect(result.status).toBe(0);
});

test('a main that never settles, with nothing left to settle it, ends with the status that Node has for it', async () => {
  const result = await folder.main(`console.log('so far'); await new Promise(() => {})`);
  expect(result).toMatchObject({ok: false, status: 13, stdout: 'so far\n'});
  expect(result.execution_error).toContain('nothing is left');
});

test('a main that never settles meets the timeout, its child is ended, and the next run begins', async () => {
  const ended = join(folder.path, 'ended');
  const [stuck, next] = await Promise.all([
    folder.main(
      `child_process.spawn('sleep', ['60']).on('exit', (code, signal) => fs.writeFileSync(${JSON.stringify(ended)}, signal));
       console.log('so far'); await new Promise(() => setInterval(() => {}, 10))`,
      {timeout_ms: 300},
    ),
    folder.main(`console.log('next')`),
  ]);
  expect(stuck).toEqual({
    ok: false,
    status: 124,
    stdout: 'so far\n',
    stderr: '',
    execution_error: 'the command did not end within 300 ms',
  });
  expect(next.stdout).toBe('next\n');
  await vi.waitFor(() => expect(readFileSync(ended, 'utf8')).toMatch(/^SIG/), {timeout: 60_000});
});

test('an aborted signal ends a run, also before it begins', async () => {
  const abort = new AbortController();
  const source = `setInterval(() => {}, 10); console.log('ran')`;
  const running = folder.main(source, {signal: abort.signal});
  setTimeout(() => abort.abort(), 50);
  const cancelled = {ok: false, status: 130, execution_error: 'the command was cancelled'};
  expect(await running).toMatchObject(cancelled);
  expect(await folder.main(source, {signal: abort.signal})).toMatchObject({...cancelled, stdout: ''});
});

test.each([
  ['SIGTERM', 143],
  ['SIGKILL', 137],
])('a command that sends itself %s ends as a shell would say', async (signal, status) => {
  const result = await folder.main(`process.kill(process.pid, '${signal}')`);
  expect(result).toMatchObject({ok: false, status, execution_error: `the command ended itself by ${signal}`});
});

test('a command that handles the signal it sends itself continues', async () => {
  const result = await folder.main(`process.on('SIGTERM', () => process.exit(3)); process.kill(process.pid, 15)`);
  expect(result).toMatchObject({status: 3});
});

test('process.abort ends the run only', async () => {
  expect(await folder.main(`process.abort()`)).toMatchObject({status: 134});
});
