// Attacks README's showcase: a person approves a commit, and something else is staged before it is made. Also lists the first-party tools
// with effects that do not follow from their input.
import type {Host, Session} from '@lumenflow/host';
import {execFileSync} from 'node:child_process';
import {readdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {parse} from 'yaml';
import type {ToolDeclaration, ToolFile} from '@lumenflow/schemas';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {everything, makeHostWorkspace, must, type HostWorkspace} from '../../support/host-workspace.ts';
import {opened} from '../../support/opened.ts';

describe('a commit that waits for a person', () => {
  let workspace: HostWorkspace;
  let host: Host;
  let ada: Session;
  const git = (...args: string[]): string => execFileSync('git', args, {cwd: workspace.root, encoding: 'utf8'}).trim();
  const stage = (text: string): void => {
    writeFileSync(join(workspace.root, 'a.txt'), text);
    git('add', 'a.txt');
  };
  const commit = () => ada.call('git:commit', {message: 'harmless'});
  const requestOf = (output: Awaited<ReturnType<typeof commit>>): string => {
    expect(output.error?.code).toBe('APPROVAL_REQUIRED');
    return String(output.error?.details?.['request_id']);
  };
  const approve = async (request_id: string) =>
    await host.runtime.resolveApproval({request_id, approved: true, approved_by: 'olga'});

  beforeAll(async () => {
    workspace = makeHostWorkspace({
      firstParty: ['software-delivery'],
      pins: {'software-delivery': {trust: 'in_process'}},
      files: {'.gitignore': '.lumenflow/\n'},
      spec: {
        lanes: [{id: 'core', allowed_scopes: everything}],
        policies: {
          default_decision: 'allow',
          // `git:*` includes the preview, which must not wait for a person itself.
          rules: [{id: 'ask', trigger: 'on_tool_request', decision: 'approval_required', when: {tool: 'git:*'}}],
        },
        software_delivery: {git: {author: {name: 'Ada', email: 'ada@example.org'}}},
      } as never,
    });
    git('init', '--quiet', '--initial-branch=main');
    host = await workspace.start();
    ada = opened(await host.openSession({by: 'ada'}));
  });
  afterAll(async () => await workspace.remove());

  test('is not asked about while nothing is staged', async () => {
    const {error} = await commit();
    expect(error).toMatchObject({code: 'PREVIEW_FAILED', details: {cause: 'NOTHING_TO_COMMIT'}});
    expect(host.runtime.listApprovals()).toEqual([]);
  });

  test('shows what is staged, and commits nothing else', async () => {
    stage('good\n');
    const first = requestOf(await commit());
    const [approval] = host.runtime.listApprovals();
    const shown = JSON.parse((await host.runtime.evidence.readBlob(approval?.preview?.ref ?? '')) ?? '') as object;
    expect(shown).toMatchObject({
      branch: 'main',
      parent: null,
      tree: git('write-tree'),
      author: {name: 'Ada'},
      files: [{path: 'a.txt', status: 'added'}],
      patch: expect.stringContaining('+good'),
    });
    await approve(first);
    stage('EVIL\n');
    const second = requestOf(await commit());
    expect(second).not.toBe(first);
    expect(() => git('rev-parse', '--verify', '--quiet', 'HEAD')).toThrow(/Command failed/u);
    expect(await approve(first)).toMatchObject({error: {code: 'APPROVAL_WITHDRAWN'}});
    stage('good\n');
    await approve(requestOf(await commit()));
    await must(ada, 'git:commit', {message: 'harmless'});
    expect(git('show', 'HEAD:a.txt')).toBe('good');
  });
});

/**
 * Tools that may write, and whose effect is neither a change set nor previewed, because it follows from their input alone: they add
 * their input to the pack's log or to .git.
 */
const saidByTheirInput: Readonly<Record<string, readonly string[]>> = {
  'appends to the pack’s log what its input says, or calls tools that are judged themselves': [
    'doctor',
    'agent:*',
    'approval:request',
    'delegation:record',
    'initiative:*',
    'lane-lock:*',
    'mem:*',
    'metrics:snapshot',
    'orchestrate:initiative',
    'plan:create',
    'plan:edit',
    'plan:link',
    'signal:cleanup',
    'wu:comment',
    'state:rebuild',
    'state:cleanup',
    'config:propose',
    'agent-session:*',
    'agent-workflow:*',
    'agent-schedule:*',
  ],
  'acts on the caller’s own work unit, which its session and lease name': [
    'wu:create',
    'wu:edit',
    'wu:next',
    'wu:claim',
    'wu:brief',
    'wu:check-out',
    'wu:update-checkout',
    'wu:prepare-merge',
    'wu:merge',
    'wu:remove-worktree',
    'wu:delegate',
    'wu:prep',
    'wu:block',
    'wu:unblock',
    'wu:release',
    'wu:recover',
    'wu:proto',
    'wu:sandbox',
    'wu:prune',
    'wu:escalate',
    'worktree:create',
    'gates',
  ],
  'does what the remote or the log names, after the gates': [
    'wu:sync',
    'wu:sync-log',
    'wu:push-ref',
    'wu:fetch-ref',
    'wu:push-batch',
    'wu:forward-main',
    'wu:undo',
    'wu:prepare-revert',
  ],
  'writes only files within its grant, or stages them': ['file:*', 'git:add', 'backlog:*', 'docs:*', 'cli:run'],
  'asks a model, whose bounds are limits and intents': ['agent:execute-turn'],
};

describe('first-party tools', () => {
  const packs = join(import.meta.dirname, '../../../packs');
  const tools = ['software-delivery', 'agent-runtime'].flatMap((pack): readonly ToolDeclaration[] => {
    const files = readdirSync(join(packs, pack, 'manifest')).map((name) => join(packs, pack, 'manifest', name));
    return [join(packs, pack, 'manifest.yaml'), ...files].flatMap(
      (file) => (parse(readFileSync(file, 'utf8')) as ToolFile).tools ?? [],
    );
  });
  const patterns = Object.values(saidByTheirInput).flat();
  const covers = (pattern: string, name: string): boolean =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

  test('an admin tool always has a preview', () => {
    const without = tools.filter(({permission, preview}) => permission === 'admin' && preview === undefined);
    expect(without.map(({name}) => name)).toEqual([]);
  });

  test('a tool that may write has a preview, or is known to do what its input says', () => {
    const unknown = tools.filter(
      ({name, permission, preview}) =>
        permission === 'write' && preview === undefined && !patterns.some((pattern) => covers(pattern, name)),
    );
    expect(unknown.map(({name}) => name)).toEqual([]);
    const stale = patterns.filter((pattern) => !tools.some(({name}) => covers(pattern, name)));
    expect(stale).toEqual([]);
  });

  test('what can reach a network and may change something there has a preview', () => {
    const reaches = tools.filter(
      ({permission, required_scopes = []}) =>
        permission === 'admin' && required_scopes.some((scope) => scope.type === 'network' && scope.posture !== 'off'),
    );
    expect(reaches.map(({name, preview}) => `${name} ${preview ?? ''}`)).toEqual(['git:push git:preview-push']);
  });
});
