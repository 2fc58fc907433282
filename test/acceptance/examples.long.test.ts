// Each example runs in its own folder, with the commands of its README, and changes no file of the repository.
import {execFileSync, spawnSync} from 'node:child_process';
import {readdirSync, readFileSync, rmSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {chosenSandbox} from '../support/chosen-sandbox.ts';
import {copyExamples} from '../support/copied-examples.ts';
import {assertBuilt} from '../support/lumenflow-program.ts';

const repository = join(import.meta.dirname, '../..');
const sandbox = chosenSandbox();
const copied = sandbox && copyExamples(repository, sandbox);
const examples = copied?.folder ?? join(repository, 'examples');
const names = readdirSync(examples);

beforeAll(assertBuilt);
afterAll(() => {
  copied?.remove();
  for (const name of names) rmSync(join(examples, name, '.lumenflow'), {recursive: true, force: true});
});

/** What stdout must contain, by command. gVisor calls a missing network `EHOSTUNREACH`, others `ENETUNREACH`. */
const shown: Readonly<Record<string, string>> = {
  'npx lumenflow tools list': 'hello:greet',
  'npx lumenflow tools call hello:greet name=Ada': 'Hello Ada',
  'npx lumenflow tools call probe:read-file path=package.json': 'ENOENT',
  'npx lumenflow tools call probe:connect host=192.0.2.1 port=443': 'UNREACH',
  'npx lumenflow tools call report:words path=README.md': 'README.md',
  'npx lumenflow tools call words:count path=docs/letter.txt': 'words  7',
  'npx lumenflow cli list': 'contributors',
  'npx tsx order-desk.ts': 'evidence: verified',
};

function changes(): string {
  return execFileSync('git', ['status', '--porcelain', 'examples'], {cwd: repository, encoding: 'utf8'});
}

/** What an example needs beyond the repository's own programs. */
const needed: Readonly<Record<string, string>> = {'wasm-pack': 'clang'};
const isMissing = (program: string | undefined): boolean =>
  program !== undefined && spawnSync(program, ['--version']).status !== 0;

test.for(names)('%s runs as its README says', (name, {skip}) => {
  if (isMissing(needed[name])) skip(`it needs ${needed[name]}`);
  const folder = join(examples, name);
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  const [, block = ''] = /```sh\n(.*?)```/su.exec(readme) ?? [];
  const commands = block.trim().split('\n');
  expect(commands.length).toBeGreaterThan(0);
  const before = changes();
  for (const command of commands) {
    const {status, stdout, stderr} = spawnSync('sh', ['-c', command], {cwd: folder, encoding: 'utf8'});
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(stdout).toContain(shown[command] ?? '');
  }
  expect(changes()).toBe(before);
});
