// A separate call reverts the changes of calls: judged, recorded, and only if nothing has changed since.
import type {Host, Session} from '@lumenflow/host';
import type {PolicyRule, ToolOutput} from '@lumenflow/schemas';
import {chmodSync, existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, describe, expect, test} from 'vitest';
import {everything, makeHostWorkspace, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

let workspace: HostWorkspace;
let host: Host;
let session: Session;
afterEach(async () => await workspace.remove());

const revertTool = 'kernel:revert-changes';

async function open(rules: readonly PolicyRule[] = []): Promise<void> {
  workspace = makeHostWorkspace({
    copied: {held: join(import.meta.dirname, 'transactional-pack')},
    pins: {held: {trust: 'in_process'}},
    direct: ['free:write'],
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: everything, wip_limit: 10},
        {id: 'docs', allowed_scopes: [{type: 'path', pattern: 'docs/**', access: 'write'}], wip_limit: 10},
      ],
      policies: {default_decision: 'allow', rules: [...rules]},
    },
    files: {'docs/a.md': 'a\n', 'docs/deep/b.md': 'b\n', 'src/c.ts': 'c\n'},
  });
  host = await workspace.start();
  session = opened(await host.openSession({by: 'agent', lane: 'core'}));
}

const path = (name: string): string => join(workspace.root, name);
const read = (name: string): string => readFileSync(path(name), 'utf8');
const receiptOf = ({metadata}: ToolOutput): string => String(metadata?.receipt_id);
const shell = async (script: string): Promise<string> => {
  const output = await session.call('held:shell', {script});
  if (!output.success) throw new Error(JSON.stringify(output.error));
  return receiptOf(output);
};
const revert = async (receipt_id: string, by: Session = session): Promise<ToolOutput> =>
  await by.call(revertTool, {receipt_id});

/** Kind, permissions and content of everything that calls may change. */
function tree(): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  const look = (directory: string): void => {
    for (const name of readdirSync(path(directory))) {
      const each = join(directory, name);
      const stat = lstatSync(path(each));
      const mode = (stat.mode & 0o7777).toString(8);
      if (stat.isSymbolicLink()) found[each] = `-> ${readlinkSync(path(each))}`;
      else if (stat.isDirectory()) found[each] = `${mode} directory`;
      else found[each] = `${mode} ${read(each)}`;
      if (stat.isDirectory()) look(each);
    }
  };
  for (const directory of ['docs', 'src']) look(directory);
  return found;
}

const scripts: Readonly<Record<string, string>> = {
  'files that were made, changed and deleted': 'echo new > docs/new.md; echo more >> docs/a.md; rm src/c.ts',
  'an empty file': ': > docs/empty; : > docs/a.md',
  'directories with what is in them': 'rm -r docs/deep; mkdir -p docs/x/y/z; echo z > docs/x/y/z/f',
  'permissions of files and directories':
    'chmod 755 docs/a.md; chmod 750 docs/deep; umask 077; echo n > docs/n; mkdir src/d',
  symlinks: 'ln -s a.md docs/link; rm docs/deep/b.md; ln -s ../a.md docs/deep/b.md',
  'one kind in the place of another':
    'rm -r docs/deep; echo file > docs/deep; rm docs/a.md; mkdir docs/a.md; echo i > docs/a.md/i',
  'a symlink in place of its directory, to one with the same names': 'mv docs/deep docs/other; ln -s other docs/deep',
  'a symlink in place of its directory, to itself': 'rm -r docs/deep; ln -s deep docs/deep',
  'a renamed file and a further name': 'mv docs/a.md docs/z.md; ln src/c.ts src/also.ts',
};

/** mulberry32 */
function randomFrom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** A few commands over a few names, of which each may fail. */
function randomScript(random: (below: number) => number): string {
  const names = ['docs/a', 'docs/b', 'docs/a/x', 'docs/b/x', 'docs/a/x/y', 'src/c'];
  const name = (): string => names[random(names.length)] ?? '';
  const commands = [
    () => `echo ${random(100)} > ${name()}`,
    () => `echo ${random(100)} >> ${name()}`,
    () => `mkdir -p ${name()}`,
    () => `rm -rf ${name()}`,
    () => `ln -s ${['a', 'b', 'x', '../docs'][random(4)] ?? ''} ${name()}`,
    () => `mv -T ${name()} ${name()}`,
    () => `chmod ${['700', '750', '644', '755'][random(4)] ?? ''} ${name()}`,
    () => `cp -r ${name()} ${name()}`,
  ];
  const lines = Array.from(
    {length: 1 + random(6)},
    () => `(${commands[random(commands.length)]?.() ?? ''}) 2>/dev/null || :`,
  );
  // What can no longer be read could not be compared.
  return [...lines, 'chmod -R u+rwX docs src 2>/dev/null || :'].join('\n');
}

describe('the tree', () => {
  test('restores every kind of change, and reverting the revert restores the call’s result', async () => {
    await open();
    const before = tree();
    for (const [what, script] of Object.entries(scripts)) {
      const receipt = await shell(script);
      const between = tree();
      expect(between, what).not.toEqual(before);
      const reverted = await revert(receipt);
      expect(reverted, what).toMatchObject({success: true, data: {receipt_id: receipt}});
      expect(tree(), what).toEqual(before);
      expect(await revert(receiptOf(reverted)), what).toMatchObject({success: true});
      expect(tree(), what).toEqual(between);
      expect(await revert(receipt), what).toMatchObject({success: true});
    }
    await host.close();
    expect(existsSync(path('.lumenflow/transactions'))).toBe(false);
  });

  test('restores each state when random calls are reverted in reverse order', async () => {
    await open();
    const seed = Math.floor(Math.random() * 2 ** 31);
    const random = randomFrom(seed);
    const history: {
      readonly receipt: string;
      readonly before: Readonly<Record<string, string>>;
      readonly script: string;
    }[] = [];
    for (let step = 0; step < 12; step += 1) {
      const script = randomScript(random);
      const before = tree();
      const receipt = await shell(script);
      if ((await host.runtime.changes.of(receipt))?.recorded.count !== 0) history.push({receipt, before, script});
    }
    for (const {receipt, before, script} of history.toReversed()) {
      expect(await revert(receipt), `seed ${seed}: ${script}`).toMatchObject({success: true});
      expect(tree(), `seed ${seed}: ${script}`).toEqual(before);
    }
  });
});

test('receipts refer to each other, and what was reverted can be reverted again', async () => {
  await open();
  const receipt = await shell('echo x > docs/a.md');
  const first = receiptOf(await revert(receipt));
  expect(await host.runtime.changes.of(first)).toMatchObject({state: 'applied', recorded: {reverts: receipt}});
  expect(await host.runtime.changes.of(receipt)).toMatchObject({reverted_by: first});
  const {started} = (await host.runtime.evidence.receipt(first)) ?? {};
  expect(started).toMatchObject({tool_name: revertTool, writes: 'transactional', by: 'agent'});
  const twice = await revert(receipt);
  expect(twice.error).toMatchObject({code: 'WRITE_CONFLICT', details: {conflicts: ['docs/a.md']}});
});

test('a path that somebody has changed since stops all of it', async () => {
  await open();
  const receipt = await shell('echo x > docs/a.md; echo y > src/c.ts; echo n > docs/new.md; mkdir docs/made');
  writeFileSync(path('src/c.ts'), 'by hand\n');
  const before = tree();
  const refused = await revert(receipt);
  expect(refused.error).toMatchObject({code: 'WRITE_CONFLICT', details: {conflicts: ['src/c.ts']}});
  expect(tree()).toEqual(before);
  writeFileSync(path('src/c.ts'), 'y\n');
  chmodSync(path('docs/new.md'), 0o600);
  expect((await revert(receipt)).error?.details).toMatchObject({conflicts: ['docs/new.md']});
  chmodSync(path('docs/new.md'), 0o644);
  writeFileSync(path('docs/made/mine'), 'mine\n');
  expect((await revert(receipt)).error).toMatchObject({code: 'WRITE_CONFLICT', details: {conflicts: ['docs/made']}});
  expect([read('docs/made/mine'), read('docs/a.md')]).toEqual(['mine\n', 'x\n']);
});

test('a dry run shows the difference and changes nothing', async () => {
  await open();
  const receipt = await shell('echo x > docs/a.md');
  const shown = await session.call(revertTool, {receipt_id: receipt}, {dry_run: true});
  expect(shown).toMatchObject({
    success: true,
    metadata: {
      changes: {dry_run: true, state: 'discarded', reverts: receipt, list: [{path: 'docs/a.md', op: 'modify'}]},
    },
  });
  expect(read('docs/a.md')).toBe('x\n');
  expect(await host.runtime.changes.of(receipt)).not.toHaveProperty('reverted_by');
});

describe('is governed', () => {
  const rule = (decision: PolicyRule['decision']): PolicyRule => ({
    id: 'no-emptying',
    trigger: 'on_changes',
    decision,
    when: {tool: revertTool, changes: {any: {path: 'docs/**'}}},
  });

  test('by scopes: a lane reverts only what it may write', async () => {
    await open();
    const receipt = await shell('echo x > docs/a.md; echo y > src/c.ts');
    const narrow = opened(await host.openSession({by: 'agent', lane: 'docs'}));
    expect((await revert(receipt, narrow)).error).toMatchObject({code: 'SCOPE_DENIED', details: {path: 'src/c.ts'}});
    expect([read('docs/a.md'), read('src/c.ts')]).toEqual(['x\n', 'y\n']);
  });

  test('by rules of on_changes: denied', async () => {
    await open([rule('deny')]);
    const receipt = await shell('echo x > docs/a.md');
    expect((await revert(receipt)).error).toMatchObject({code: 'POLICY_DENIED', details: {rule_id: 'no-emptying'}});
    expect(read('docs/a.md')).toBe('x\n');
  });

  test('by rules of on_changes: parked until a person approves', async () => {
    await open([rule('approval_required')]);
    const receipt = await shell('echo x > docs/a.md; rm docs/deep/b.md; ln -s a.md docs/link; chmod 750 docs/deep');
    const parked = await revert(receipt);
    expect(parked.error?.code).toBe('CHANGES_PARKED');
    expect(read('docs/a.md')).toBe('x\n');
    const request_id = String(parked.error?.details?.['request_id']);
    expect(await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'})).toMatchObject({
      success: true,
    });
    expect([read('docs/a.md'), read('docs/deep/b.md'), existsSync(path('docs/link'))]).toEqual(['a\n', 'b\n', false]);
    expect(await host.runtime.changes.of(receipt)).toMatchObject({reverted_by: receiptOf(parked)});
  });

  test.each(['mcp', 'http', 'agent'] as const)('by whose call it was: over %s', async (surface) => {
    await open();
    const receipt = await shell('echo x > docs/a.md');
    const other = opened(await host.openSession({by: 'other', lane: 'core', surface}));
    expect((await revert(receipt, other)).error).toMatchObject({code: 'SCOPE_DENIED'});
    expect(read('docs/a.md')).toBe('x\n');
    const operator = await other.call(revertTool, {receipt_id: receipt}, {is_operator: true});
    expect(operator.success).toBe(true);
    expect(read('docs/a.md')).toBe('a\n');
  });
});

describe('is refused', () => {
  test.each([
    ['a file that is larger than what is kept', 'head -c 300000 /dev/zero | tr "\\\\0" x > docs/big'],
    ['a binary file', 'printf "a\\\\000b" > docs/big'],
  ])('for the content of %s, which it names', async (_what, script) => {
    await open();
    const made = await shell(script);
    const deleted = await shell('rm docs/big; echo x > docs/a.md');
    const refused = await revert(deleted);
    expect(refused.error).toMatchObject({code: 'NOT_REVERTIBLE', details: {paths: ['docs/big']}});
    expect(refused.error?.message).toContain('`docs/big`');
    expect(read('docs/a.md')).toBe('x\n');
    writeFileSync(path('docs/a.md'), 'a\n');
    // Nothing of it is needed to delete it.
    await shell(script);
    expect((await revert(made)).success).toBe(true);
    expect(existsSync(path('docs/big'))).toBe(false);
  });

  test('of what is not applied, and of what has no change set', async () => {
    await open();
    const dry = await session.call('held:shell', {script: 'echo x > docs/a.md'}, {dry_run: true});
    expect((await revert(receiptOf(dry))).error).toMatchObject({code: 'NOT_REVERTIBLE'});
    const direct = await session.call('free:write', {files: {'docs/a.md': 'x'}});
    expect((await revert(receiptOf(direct))).error?.message).toContain('has no change set');
    expect((await revert('rcp-none')).error?.message).toContain('there is no receipt');
  });
});
