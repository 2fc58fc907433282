// What was parked and approved gives the same files as changes that are applied at once.
import type {Host, Session} from '@lumenflow/host';
import type {PolicyRule} from '@lumenflow/schemas';
import {execFileSync} from 'node:child_process';
import {chmodSync, cpSync, lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

const asks: PolicyRule = {
  id: 'ask',
  trigger: 'on_changes',
  decision: 'approval_required',
  when: {changes: {any: {path: 'parked-*/**'}}},
};
let workspace: HostWorkspace;
let host: Host;
let session: Session;
beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, 'transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    spec: {
      lanes: [{id: 'core', allowed_scopes: everything, wip_limit: 10}],
      policies: {default_decision: 'allow', rules: [asks]},
    },
    files: {'initial/a.md': 'a\n', 'initial/gone/x': 'x', 'initial/gone-too': 'y', 'initial/locked/a': 'a'},
  });
  host = await workspace.start();
  session = opened(await host.openSession({by: 'agent', lane: 'core'}));
});
afterAll(async () => {
  // Its user could not remove what is locked.
  const folders = readdirSync(workspace.root).filter((name) => /^(?:free|parked)-/u.test(name));
  execFileSync('chmod', ['-R', 'u+w', ...folders], {cwd: workspace.root});
  await workspace.remove();
});

const at = (path: string): string => join(workspace.root, path);

interface Parked {
  readonly receipt: string;
  readonly request: string;
}

async function park(script: string): Promise<Parked> {
  const {error, metadata} = await session.call('held:shell', {script});
  expect(error).toMatchObject({
    code: 'CHANGES_PARKED',
    message: expect.stringMatching(/its (?:1 change waits|\d+ changes wait) for approval/u),
  });
  return {receipt: String(metadata?.receipt_id), request: String(error?.details?.['request_id'])};
}

/** Gives what became of it. */
async function approve({receipt, request}: Parked): Promise<unknown> {
  await host.runtime.resolveApproval({request_id: request, approved: true, approved_by: 'olga'});
  return (await host.runtime.changes.of(receipt))?.kept;
}

/** Each path with its kind, permissions, number of names, and content. */
function tree(folder: string): readonly string[] {
  const texts = readdirSync(at(folder), {recursive: true, encoding: 'utf8'}).toSorted();
  return texts.map((path) => {
    const file = at(join(folder, path));
    const stat = lstatSync(file);
    const mode = (stat.mode & 0o7777).toString(8);
    if (stat.isDirectory()) return `${path}/ ${mode}`;
    if (stat.isSymbolicLink()) return `${path} -> ${readlinkSync(file)}`;
    return `${path} ${mode} ${stat.nlink} ${readFileSync(file, 'utf8')}`;
  });
}

const cases: Readonly<Record<string, string>> = {
  'names that sort differently as paths':
    'mkdir a; echo 1 > a/x; echo 2 > a-b; echo 3 > a.b; rm -r gone gone-too; echo 4 > \u{1F600}; echo 5 > \uFFEE',
  'a directory that its user may not write to': 'mkdir -p ro/in; echo 1 > ro/in/f; chmod 555 ro/in ro',
  'names in a directory that its user may not write to':
    'chmod 755 locked; echo 2 > locked/b; rm locked/a; chmod 555 locked',
  'a directory instead of a file': 'rm a.md; mkdir a.md; echo 1 > a.md/f',
  'permissions alone': 'chmod 600 a.md',
  'two names of one file': 'echo 1 > one; ln one two',
  'a symlink': 'ln -s a.md link',
};

test.each(Object.keys(cases))('an approved change set gives %s, like one that is applied at once', async (name) => {
  const number = Object.keys(cases).indexOf(name);
  const [free, parked] = [`free-${number}`, `parked-${number}`];
  for (const folder of [free, parked]) {
    cpSync(at('initial'), at(folder), {recursive: true});
    chmodSync(at(`${folder}/locked`), 0o555);
  }
  const before = tree(parked);
  const script = cases[name] ?? '';
  const applied = await session.call('held:shell', {script: `cd ${free}; ${script}`});
  expect(applied.error).toBeUndefined();
  expect(await approve(await park(`cd ${parked}; ${script}`))).toMatchObject({state: 'applied'});
  expect(tree(parked)).toEqual(tree(free));
  expect(tree(parked)).not.toEqual(before);
});
