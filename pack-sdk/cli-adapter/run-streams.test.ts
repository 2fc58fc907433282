// Input and output of a run, through every way in which a command can use them.
import {afterAll, beforeAll, expect, test} from 'vitest';
import {makeCommandFolder, type CommandFolder} from './command-folder.fixture.ts';

let folder: CommandFolder;
beforeAll(() => void (folder = makeCommandFolder()));
afterAll(() => folder.remove());

test.each([
  ['console.log', `console.log('out'); console.info('%s', 'more'); console.debug({a: 1})`, 'out\nmore\n{ a: 1 }\n', ''],
  ['console.error', `console.error('err'); console.warn('%d', 2)`, '', 'err\n2\n'],
  [
    'console.group',
    `console.group('a'); console.log('b'); console.groupEnd(); console.table([])`,
    'a\n  b\n┌─────────┐\n│ (index) │\n├─────────┤\n└─────────┘\n',
    '',
  ],
  [
    'a console of its own',
    `new (await import('node:console')).Console(process.stdout, process.stderr).error('x')`,
    '',
    'x\n',
  ],
  [
    'write',
    `process.stdout.write('a'); process.stderr.write(Buffer.from('b')); process.stdout.write('63', 'hex')`,
    'ac',
    'b',
  ],
  [
    'write with a callback',
    `process.stdout.write('a', () => process.stdout.write('b', 'utf8', () => console.log('c')))`,
    'abc\n',
    '',
  ],
  ['end', `process.stdout.end('a', () => console.error('done'))`, 'a', 'done\n'],
  ['pipes', `await (await import('node:stream/promises')).pipeline(['a', 'b'], process.stdout)`, 'ab', ''],
  [
    'writeSync',
    `fs.writeSync(1, 'a'); fs.writeSync(2, Buffer.from('xbx'), 1, 1); fs.writeSync(1, Buffer.from('cd'), {offset: 1}); fs.writeSync(1, '65', null, 'hex')`,
    'ade',
    'b',
  ],
  [
    'write of descriptors',
    `fs.write(1, 'a', (error, size) => fs.writev(2, [Buffer.from('b'), Buffer.from(String(size))], () => {}))`,
    'a',
    'b1',
  ],
  [
    'writeFileSync',
    `fs.writeFileSync(1, 'a'); fs.appendFileSync('/dev/stdout', 'b'); fs.writeFileSync('/dev/stderr', Buffer.from('c'))`,
    'ab',
    'c',
  ],
  ['writeFile', `fs.writeFile('/dev/stdout', 'a', () => fs.promises.writeFile('/dev/stderr', 'b'))`, 'a', 'b'],
  [
    'file streams',
    `fs.createWriteStream(null, {fd: 1}).end('a'); fs.createWriteStream('/dev/stderr').end('b')`,
    'a',
    'b',
  ],
  ['named imports', `(await import('node:fs')).writeSync(1, 'a')`, 'a', ''],
  ['a spawned child', `child_process.spawn('sh', ['-c', 'echo a; echo b >&2'], {stdio: 'inherit'})`, 'a\n', 'b\n'],
  [
    'a child with streams',
    `child_process.spawn('sh', ['-c', 'echo a; echo b >&2'], {stdio: ['ignore', process.stderr, 1]})`,
    'b\n',
    'a\n',
  ],
  [
    'a child of which the end is awaited',
    `child_process.spawn('sh', ['-c', 'echo a'], {stdio: 'inherit'}).on('exit', (code) => process.exit(code))`,
    'a\n',
    '',
  ],
  [
    'a fork',
    `child_process.fork(import.meta.filename, {execArgv: ['--import', 'data:text/javascript,console.log("a");process.exit()']})`,
    'a\n',
    '',
  ],
  [
    'spawnSync',
    `console.log(1); child_process.spawnSync('sh', ['-c', 'echo a; echo b >&2'], {stdio: 'inherit'}); console.log(2)`,
    '1\na\n2\n',
    'b\n',
  ],
  [
    'execSync',
    `child_process.execSync('echo a', {stdio: 'inherit'}); child_process.execSync('echo b >&2')`,
    'a\n',
    'b\n',
  ],
  [
    'execFileSync',
    `try { child_process.execFileSync('sh', ['-c', 'echo a; exit 3'], {stdio: [0, 1, 2]}) } catch (error) { console.log(error.status) }`,
    'a\n3\n',
    '',
  ],
  ['a child with pipes', `console.log(child_process.spawnSync('echo', ['a']).stdout.toString())`, 'a\n\n', ''],
])('output by %s', async (_way, source, stdout, stderr) => {
  expect(await folder.main(source)).toEqual({ok: true, status: 0, stdout, stderr});
});

test.each([
  ['process.stdin', `for await (const chunk of process.stdin) process.stdout.write(chunk)`],
  [
    'process.stdin as text',
    `process.stdin.setEncoding('utf8'); process.stdin.on('data', (text) => process.stdout.write(text)).on('end', () => {})`,
  ],
  [
    'readable',
    `process.stdin.on('readable', () => { let chunk; while ((chunk = process.stdin.read()) !== null) process.stdout.write(chunk) })`,
  ],
  ['a pipe', `process.stdin.pipe(process.stdout)`],
  ['readFileSync', `process.stdout.write(fs.readFileSync(0)); fs.readFileSync(0).length === 0 || process.exit(1)`],
  ['readFileSync by name', `process.stdout.write(fs.readFileSync('/dev/stdin', 'utf8'))`],
  ['readFile', `fs.readFile(0, {encoding: 'utf8'}, (error, text) => process.stdout.write(text))`],
  ['promises', `process.stdout.write(await fs.promises.readFile('/dev/stdin', 'utf8'))`],
  [
    'readSync',
    `const room = Buffer.alloc(3); let size; while ((size = fs.readSync(0, room, 0, 3, null)) > 0) process.stdout.write(room.subarray(0, size))`,
  ],
  [
    'read',
    `const room = Buffer.alloc(99); fs.read(0, room, 0, 99, null, (error, size) => process.stdout.write(room.subarray(0, size)))`,
  ],
  ['a file stream', `fs.createReadStream('/dev/stdin').pipe(process.stdout)`],
  [
    'lines',
    `for await (const line of (await import('node:readline')).createInterface({input: process.stdin})) console.log(line)`,
  ],
  ['a child', `child_process.spawn('cat', {stdio: 'inherit'})`],
  ['a child that is waited for', `child_process.execSync('cat', {stdio: 'inherit'})`],
])('input by %s', async (_way, source) => {
  const stdin = 'grüße\n€\n';
  expect(await folder.main(source, {stdin})).toEqual({ok: true, status: 0, stdout: stdin, stderr: ''});
  expect(await folder.main(source)).toEqual({ok: true, status: 0, stdout: '', stderr: ''});
});

test('the streams are not terminals, even if those of the host are', async () => {
  const result = await folder.main(
    `console.log(process.stdin.isTTY, process.stdout.isTTY, process.stderr.isTTY, process.stdout.columns)`,
  );
  expect(result.stdout).toBe('undefined undefined undefined undefined\n');
});

test('a character split over two writes is one', async () => {
  const result = await folder.main(
    `process.stdout.write(Buffer.from([0xe2, 0x82])); process.stdout.write(Buffer.from([0xac]))`,
  );
  expect(result.stdout).toBe('€');
});

test('a buffer that the command uses again keeps what was printed', async () => {
  const result = await folder.main(
    `const b = Buffer.from('a'); process.stdout.write(b); b[0] = 98; fs.writeSync(1, b); b[0] = 99`,
  );
  expect(result.stdout).toBe('ab');
});

test('output is bounded, and more of it harms nothing', async () => {
  const result = await folder.main(
    `for (let i = 0; i < 1000; i++) if (!process.stdout.write('x'.repeat(10_000))) await new Promise((d) => process.stdout.once('drain', d));
     console.error('e'); child_process.execSync('yes | head -c 5000000', {stdio: 'inherit'})`,
    {max_output_bytes: 15_000},
  );
  expect(result).toEqual({ok: true, status: 0, stdout: 'x'.repeat(15_000), stderr: 'e\n', truncated: true});
});

test('output of exactly the bound is whole', async () => {
  expect(await folder.main(`process.stdout.write('abc')`, {max_output_bytes: 3})).toEqual({
    ok: true,
    status: 0,
    stdout: 'abc',
    stderr: '',
  });
});

test('a child that leaves another with its output open does not keep the run waiting for long', async () => {
  const result = await folder.main(
    `child_process.spawn('sh', ['-c', 'echo a; sleep 30 & exit 4'], {stdio: 'inherit'}).on('exit', (code) => process.exit(code))`,
  );
  expect(result).toMatchObject({status: 4, stdout: 'a\n'});
});

test('a child that cannot be started fails as it would', async () => {
  const result = await folder.main(
    `child_process.spawn('/no/such/program', {stdio: 'inherit'}).on('error', (error) => console.log(error.code))`,
  );
  expect(result.stdout).toBe('ENOENT\n');
});
