import {spawnSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {afterEach, beforeEach, expect, test} from 'vitest';

// A fresh clone in small: these scripts, one package.json without dependencies, nothing to build.
let clone: string;

beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), 'lumenflow-prepare-'));
  cpSync(import.meta.dirname, join(clone, 'scripts'), {recursive: true});
  writeJson('package.json', {name: 'clone', version: '1.0.0'});
  writeJson('tsconfig.json', {references: [{path: 'sandbox'}]});
});
afterEach(() => rmSync(clone, {recursive: true, force: true}));

function writeJson(name: string, value: unknown): void {
  writeFileSync(join(clone, name), JSON.stringify(value));
}

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script of the clone with only these programs on PATH. */
function run(script: string, programs: readonly string[], args: readonly string[] = []): Ran {
  const path = join(clone, 'path');
  mkdirSync(path);
  symlinkSync(process.execPath, join(path, 'node'));
  for (const name of programs) symlinkSync('/bin/true', join(path, name));
  return spawnSync(process.execPath, [join(clone, 'scripts', script), ...args], {
    encoding: 'utf8',
    env: {PATH: path, HOME: clone},
  });
}

/** What npm and the first build leave behind, and a compiler that has nothing to do. */
function pretendInstalled(): void {
  mkdirSync(join(clone, 'sandbox/dist'), {recursive: true});
  mkdirSync(join(clone, 'node_modules/typescript/bin'), {recursive: true});
  writeJson('node_modules/.package-lock.json', {});
  mkdirSync(join(clone, 'node_modules/.bin'));
  symlinkSync(join(import.meta.dirname, '../node_modules/.bin/esbuild'), join(clone, 'node_modules/.bin/esbuild'));
  mkdirSync(join(clone, 'sandbox/runner'));
  writeFileSync(join(clone, 'sandbox/runner/answer.ts'), 'export const answer: number = 42;');
  writeFileSync(join(clone, 'sandbox/runner/main.ts'), `import {answer} from './answer.ts'; console.log(answer);`);
  mkdirSync(join(clone, 'sandbox/network/holder'), {recursive: true});
  writeFileSync(join(clone, 'sandbox/network/holder/main.ts'), 'console.log("holder");');
  mkdirSync(join(clone, 'sandbox/wasm/thread'), {recursive: true});
  writeFileSync(join(clone, 'sandbox/wasm/thread/main.ts'), 'console.log("thread");');
  mkdirSync(join(clone, 'sandbox/vm/guest'), {recursive: true});
  writeFileSync(join(clone, 'sandbox/vm/guest/main.ts'), 'console.log("agent");');
  mkdirSync(join(clone, 'sandbox/container-agent'));
  writeFileSync(join(clone, 'sandbox/container-agent/main.ts'), 'console.log("agent");');
  mkdirSync(join(clone, 'host/upstream-mcp/in-sandbox'), {recursive: true});
  writeFileSync(join(clone, 'host/upstream-mcp/in-sandbox/index.ts'), 'export const upstream = 1;');
  mkdirSync(join(clone, 'host/exec/code/sandboxed'), {recursive: true});
  writeFileSync(join(clone, 'host/exec/code/sandboxed/run-code.ts'), 'export const runner = 1;');
  const page = join(clone, 'host/dashboard/client');
  mkdirSync(page, {recursive: true});
  for (const name of ['dashboard.tsx', 'dashboard.css', 'index.html']) writeFileSync(join(page, name), '');
  writeFileSync(join(clone, 'node_modules/typescript/bin/tsc'), '');
  // What the compiler that does nothing would have written.
  mkdirSync(join(clone, 'host/dist'), {recursive: true});
  writeFileSync(join(clone, 'host/dist/bundle-program.js'), '');
}

const onLinux = test.skipIf(process.platform !== 'linux');

test('says nothing when there is nothing to do', () => {
  pretendInstalled();
  expect(run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft'])).toMatchObject({status: 0, stdout: '', stderr: ''});
});

test('says that the first build takes a while', () => {
  pretendInstalled();
  rmSync(join(clone, 'sandbox/dist'), {recursive: true});
  expect(run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft'])).toMatchObject({
    status: 0,
    stdout: '',
    stderr: 'building the packages …\n',
  });
});

onLinux('names the one command that brings what is missing, and goes on', () => {
  pretendInstalled();
  const {status, stdout, stderr} = run('prepare.mjs', ['git', 'ip', 'nft']);
  expect({status, stdout}).toEqual({status: 0, stdout: ''});
  expect(stderr).toMatch(/^missing on this machine: bubblewrap\. .* (sudo )?apt-get install -y bubblewrap\n$/);
});

onLinux('goes on without what only some tools need, and says so', () => {
  pretendInstalled();
  const {status, stderr} = run('prepare.mjs', ['bwrap', 'git']);
  expect(status).toBe(0);
  expect(stderr).toMatch(
    /^the networks of tools need iproute2 and nftables: (sudo )?apt-get install -y iproute2 nftables\n$/,
  );
});

onLinux('start ends where no tool could run in the sandbox', () => {
  pretendInstalled();
  const {status, stdout, stderr} = run('run-program.mjs', ['ip', 'nft'], ['start']);
  expect({status, stdout}).toEqual({status: 1, stdout: ''});
  expect(stderr).toMatch(/apt-get install -y bubblewrap git\n$/);
});

test('says what to do when npm cannot install', () => {
  const {status, stdout, stderr} = run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft']);
  expect({status, stdout}).toEqual({status: 1, stdout: ''});
  expect(stderr).toContain('installing packages (npm install) …');
  expect(stderr).toMatch(/npm registry must be reachable.*Then repeat: npm install\n$/);
});

test('installs what the lock file names, once', () => {
  pretendInstalled();
  writeJson('package-lock.json', {lockfileVersion: 3});
  const stamp = join(clone, 'node_modules/.installed-lock-sha256');
  // The lock file is younger than the install, as after a pull.
  writeFileSync(stamp, 'of another lock file');
  const past = new Date(Date.now() - 60_000);
  spawnSync('touch', ['-d', past.toISOString(), join(clone, 'node_modules/.package-lock.json')]);
  expect(run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft', 'npm']).stderr).toContain('installing packages (npm ci) …');
  rmSync(join(clone, 'path'), {recursive: true});
  expect(run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft'])).toMatchObject({status: 0, stderr: ''});
  expect(existsSync(stamp)).toBe(true);
});

test('a build that fails says how to repeat it', () => {
  pretendInstalled();
  writeFileSync(join(clone, 'node_modules/typescript/bin/tsc'), 'console.log("a.ts(1,1): error"); process.exit(2);');
  const {status, stdout, stderr} = run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft']);
  expect({status, stdout}).toEqual({status: 1, stdout: ''});
  expect(stderr).toMatch(/^a\.ts\(1,1\): error\n\nthe build failed: .*npm run build\n$/);
});

test('bundles the runner into one file, and puts it in place whole', () => {
  pretendInstalled();
  expect(run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft'])).toMatchObject({status: 0, stderr: ''});
  expect(readdirSync(join(clone, 'sandbox/dist'))).toEqual([
    'container-agent.cjs',
    'network-holder.cjs',
    'runner.cjs',
    'vm-agent.cjs',
    'wasm-thread.cjs',
  ]);
  rmSync(join(clone, 'sandbox/runner'), {recursive: true});
  const {stdout} = spawnSync(process.execPath, [join(clone, 'sandbox/dist/runner.cjs')], {encoding: 'utf8'});
  expect(stdout).toBe('42\n');
});

test('a runner that cannot be bundled fails the build', () => {
  pretendInstalled();
  rmSync(join(clone, 'sandbox/runner/answer.ts'));
  const {status, stderr} = run('prepare.mjs', ['bwrap', 'git', 'ip', 'nft']);
  expect(status).toBe(1);
  expect(stderr).toContain('Could not resolve "./answer.ts"');
  expect(stderr).toMatch(/the build failed: .*npm run build\n$/);
});

test('npm test counts a preparation that failed as one failure, on the last line', () => {
  const {status, stdout} = run('test.mjs', ['bwrap', 'git', 'ip', 'nft']);
  expect({status, stdout}).toEqual({status: 1, stdout: '0 passed, 1 failed\n'});
});

test('npm test stops at the first check that fails and says how to repeat it', () => {
  pretendInstalled();
  const {status, stdout, stderr} = run('test.mjs', ['bwrap', 'git', 'ip', 'nft']);
  expect({status, stdout}).toEqual({status: 1, stdout: '0 passed, 1 failed\n'});
  expect(stderr).toMatch(/check failed: generated files .*npm run generate\n$/);
});
