// What strangers install works without this repository: the packages are packed, installed into an empty project, and used there.
import {checkPackage, createPackageFromTarballData} from '@arethetypeswrong/core';
import {execFile} from 'node:child_process';
import {cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {basename, join, posix} from 'node:path';
import {promisify} from 'node:util';
import {publint} from 'publint';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {installAll, packAll, published} from '../support/published-packages.ts';

const repository = join(import.meta.dirname, '../..');
let home: string;
let project: string;
let tarballs: readonly string[];

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(program: string, args: readonly string[], cwd = project): Promise<Ran> {
  return await promisify(execFile)(program, [...args], {cwd}).then(
    ({stdout, stderr}) => ({code: 0, stdout, stderr}),
    (error: unknown) => error as Ran,
  );
}

const lumenflow = (...args: readonly string[]): Promise<Ran> =>
  run(process.execPath, [join(project, 'node_modules/.bin/lumenflow'), ...args], join(project, 'notes'));

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'lumenflow-published-'));
  project = join(home, 'project');
  tarballs = await packAll(join(home, 'tarballs'));
  await installAll(project, tarballs, ['typescript@7', '@types/node@20', 'tsx@4']);
}, 300_000);
afterAll(() => rmSync(home, {recursive: true, force: true}));

/** For programs to start and packs to load, not to import. */
const withoutTypes = /^(runner|network-holder|container-agent|manifest\.yaml|.*\.schema\.json)$/;
/** The packages are ES modules only. */
const notServed = new Set(['node10', 'node16-cjs']);

test('the tarballs are sound: publint and are-the-types-wrong find nothing', async () => {
  const findings: string[] = [];
  for (const tarball of tarballs) {
    const content = readFileSync(tarball);
    const bytes = new Uint8Array(content).buffer;
    const {messages} = await publint({pack: {tarball: bytes}, strict: true});
    findings.push(...messages.map(({code, path}) => `${basename(tarball)} ${code} ${path.join('.')}`));
    const checked = await checkPackage(createPackageFromTarballData(new Uint8Array(content)));
    if (!checked.types) continue;
    for (const problem of checked.problems) {
      if ('resolutionKind' in problem && notServed.has(problem.resolutionKind)) continue;
      if ('entrypoint' in problem && withoutTypes.test(problem.entrypoint.replace('./', ''))) continue;
      findings.push(`${basename(tarball)} ${problem.kind} ${JSON.stringify(problem)}`);
    }
  }
  expect(tarballs).toHaveLength(published.length);
  expect(findings).toEqual([]);
});

test('each tarball has a licence and a README, source maps with sources, and nothing of the tests', () => {
  for (const tarball of tarballs) {
    const content = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
    const files = content.listFiles();
    expect(files.map((path) => basename(path))).toEqual(expect.arrayContaining(['LICENSE', 'README.md']));
    expect(files.filter((path) => /\.test\.|\.fixture\.|__snapshots__|\/fixtures\//.test(path))).toEqual([]);
    for (const map of files.filter((path) => path.endsWith('.js.map'))) {
      const {sources, sourcesContent = []} = JSON.parse(content.readFile(map)) as {
        sources: unknown[];
        sourcesContent?: unknown[];
      };
      expect(sourcesContent, map).toHaveLength(sources.length);
    }
  }
});

test('the host ships the program of the newest build, without chunks of earlier builds', () => {
  const tarball = tarballs.find((path) => basename(path).startsWith('lumenflow-host-')) ?? '';
  const content = createPackageFromTarballData(new Uint8Array(readFileSync(tarball)));
  const shipped = content.listFiles('/node_modules/@lumenflow/host/dist/program');
  const folder = posix.dirname(shipped.find((path) => posix.basename(path) === 'main.js') ?? '');
  const reached = new Set([posix.join(folder, 'main.js')]);
  for (const path of reached) {
    for (const [, name = ''] of content.readFile(path).matchAll(/(?:from|import|import\()\s*"\.\/([\w-]+\.js)"/g)) {
      reached.add(posix.join(folder, name));
    }
  }
  expect(reached.size).toBeGreaterThan(50);
  expect(shipped.toSorted()).toEqual([...reached].toSorted());
});

test.each(['software-delivery', 'agent-runtime'])('the pack %s has the version of its package', (name) => {
  const folder = join(repository, 'packs', name);
  const {version} = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {version: string};
  expect(readFileSync(join(folder, 'manifest.yaml'), 'utf8')).toContain(`\nversion: ${version}\n`);
});

describe('a program that embeds the kernel', () => {
  test('compiles against the published types, runs with its own dispatcher, and ends by itself', async () => {
    cpSync(join(repository, 'examples/embedded-host'), join(project, 'desk'), {
      recursive: true,
      filter: (path) => !/node_modules|\.lumenflow|letters/.test(path),
    });
    const compilerOptions = {
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      rewriteRelativeImportExtensions: true,
      outDir: 'dist',
    };
    writeFileSync(join(project, 'desk/tsconfig.json'), JSON.stringify({compilerOptions, include: ['*.ts']}));
    expect(await run(join(project, 'node_modules/.bin/tsc'), ['-p', 'desk'])).toMatchObject({code: 0, stdout: ''});

    const {code, stdout, stderr} = await run(process.execPath, ['dist/order-desk.js'], join(project, 'desk'));
    expect({code, stderr}).toEqual({code: 0, stderr: ''});
    const results = 'success denied success success failure success invalid';
    expect(stdout.match(/success|denied|invalid|failure/g)?.join(' ')).toBe(results);
    expect(stdout).toContain('{"order":"A-1","left":130}');
    expect(stdout).toContain('evidence: verified');
    expect(readFileSync(join(project, 'desk/letters/A-1.txt'), 'utf8')).toBe('Your money is on its way.\n');
  });
});

describe('a pack author with the published packages', () => {
  test('creates a pack that tests, compiles, validates and can be called', async () => {
    expect(await run(process.execPath, ['node_modules/.bin/lumenflow', 'pack', 'create', 'notes'])).toMatchObject({
      code: 0,
    });
    // These packages are from tarballs, so no registry has them.
    const declared = JSON.parse(readFileSync(join(project, 'notes/package.json'), 'utf8')) as object;
    expect(declared).toMatchObject({dependencies: {'@lumenflow/pack-sdk': 'file:../node_modules/@lumenflow/pack-sdk'}});
    expect((await run('npm', ['test', '--silent'], join(project, 'notes'))).stdout).toMatch(/^(?:#|ℹ) fail 0$/m);
    expect(await run('npm', ['run', '--silent', 'check'], join(project, 'notes'))).toMatchObject({code: 0});
    expect(await lumenflow('pack', 'validate')).toMatchObject({code: 0});
    expect(await lumenflow('tools', 'call', 'notes:greet', 'name=Ada', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Hello, Ada'),
    });
  });

  test('pins it by its hash: it is called as it was, and refused once a byte differs', async () => {
    const hash = (await lumenflow('pack', 'hash', '.', '--json')).stdout;
    const {integrity} = JSON.parse(hash) as {integrity: string};
    const file = join(project, 'notes/workspace.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace(/integrity: dev/, `integrity: ${integrity}`));
    expect(await lumenflow('tools', 'call', 'notes:greet', 'name=Ada')).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('PACK_'),
    });

    const tool = join(project, 'notes/tools/greet.ts');
    writeFileSync(tool, `${readFileSync(tool, 'utf8')}// changed\n`);
    expect(await lumenflow('tools', 'call', 'notes:greet', 'name=Ada')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('PACK_INTEGRITY'),
    });
  });
});

describe('the first-party packs', () => {
  test('are found where npm put them by init, and called from an empty folder', async () => {
    const empty = join(project, 'empty');
    expect(await run(process.execPath, ['node_modules/.bin/lumenflow', 'init', 'empty'])).toMatchObject({code: 0});
    writeFileSync(join(empty, 'hello.txt'), 'Read by a stranger\n');
    const program = join(project, 'node_modules/.bin/lumenflow');
    const read = await run(process.execPath, [program, 'tools', 'call', 'file:read', 'path=hello.txt'], empty);
    expect(read).toMatchObject({code: 0, stdout: expect.stringContaining('Read by a stranger')});
  });
});
