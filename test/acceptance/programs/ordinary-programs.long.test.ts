// Some fifty ordinary programs leave the same tree behind in a transactional call as in a direct one, under the limits of a tool
// that declares none: as the user of the tests and, where that is root, as an ordinary user who is in a group besides its own.
import {execFileSync} from 'node:child_process';
import {cpSync, existsSync, mkdirSync, readdirSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {createRequire} from 'node:module';
import type {ToolOutput} from '@lumenflow/schemas';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {startHostProcess, type HostProcess} from '../../support/host-process.ts';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {assertBuilt, become, programUsers} from '../../support/lumenflow-program.ts';
import type {Program} from './program.ts';
import {ordinaryPrograms, setUp} from './ordinary-programs.ts';
import {treeOf} from './tree-of.ts';

const users = programUsers().map((user) => (user.uid === undefined ? user : {...user, groups: [4242]}));
for (const {name, missing} of users) if (missing !== undefined) console.log(`skipped: ${name} ${missing}`);

const lacks = ({needs = []}: Program): readonly string[] =>
  needs.filter(
    (program) => !['/usr/bin', '/bin', dirname(process.execPath)].some((path) => existsSync(join(path, program))),
  );

describe.each(users.filter(({missing}) => missing === undefined))('as $name', (user) => {
  let workspace: HostWorkspace;
  let host: HostProcess;

  const shell = (script: string): string =>
    execFileSync('env', [...become(user), 'bash', '-euc', script], {
      cwd: workspace.root,
      encoding: 'utf8',
      env: {PATH: `/usr/bin:/bin:${dirname(process.execPath)}`, HOME: workspace.root, LC_ALL: 'C', TZ: 'UTC'},
    });

  beforeAll(async () => {
    assertBuilt();
    workspace = makeHostWorkspace({
      copied: {programs: join(import.meta.dirname, 'programs-pack')},
      spec: {security: {allowed_scopes: everything, direct_writes: ['shell:*']}},
    });
    const compiler = dirname(createRequire(import.meta.url).resolve('typescript'));
    mkdirSync(join(workspace.root, 'typescript/lib'), {recursive: true});
    for (const name of readdirSync(compiler))
      if (/^(_?tsc|lib.*\.d\.ts|lib.*)/u.test(name))
        cpSync(join(compiler, name), join(workspace.root, 'typescript/lib', name));
    if (user.uid !== undefined) workspace.giveTo(user.uid);
    host = await startHostProcess(workspace.root, {user});
    await host.ask('open', {by: 'tester'});
  });
  afterAll(async () => {
    await host.kill();
    shell('chmod -R u+rwX .');
    await workspace.remove();
  });

  async function outcome(
    tool: string,
    {script, before = ''}: Program,
  ): Promise<{output: ToolOutput; tree: readonly string[]}> {
    shell(`[ ! -e work ] || chmod -R u+rwX work; rm -rf work; mkdir work; cd work\n${setUp}${before}`);
    const {metadata: _, ...output} = await host.call(tool, {script});
    return {output, tree: treeOf(join(workspace.root, 'work'))};
  }

  test.each(ordinaryPrograms)('$name', async (program) => {
    const missing = lacks(program);
    if (missing.length > 0) return console.log(`skipped: ${program.name} needs ${missing.join(', ')}`);
    const direct = await outcome('shell:direct', program);
    const held = await outcome('shell:held', program);
    expect(direct.output).toEqual({success: true, data: {said: expect.any(String)}});
    expect(held.output).toEqual(direct.output);
    expect(held.tree).toEqual(direct.tree);
  });
});
