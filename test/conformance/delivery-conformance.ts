// How packs/software-delivery passes the suite for every pack: most of its tools continue what others have started, which an
// empty workspace cannot provide.
import {execFile} from 'node:child_process';
import {promisify} from 'node:util';
import type {ConformanceOptions} from '@lumenflow/host/testing';

async function makeRepository(root: string): Promise<void> {
  const git = async (...args: string[]): Promise<unknown> => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    const env = {...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};
    return await promisify(execFile)('git', [...who, ...args], {cwd: root, env});
  };
  await git('init', '--quiet', '--initial-branch=main');
  await git('add', 'a.txt');
  await git('commit', '--quiet', '--message', 'first');
  await git('add', 'b.txt');
}

const wu = {
  title: 'A work unit',
  lane: 'main',
  type: 'feature',
  priority: 'P2',
  description: 'It is there so that wu:create has something to create in this suite.',
  acceptance: ['it is there'],
  code_paths: ['src/**'],
};

/** Tools by why they are tried in test/acceptance instead. */
const triedElsewhere: Readonly<Record<string, readonly string[]>> = {
  'goes on with a work unit': [
    'wu:edit',
    'wu:delete',
    'wu:show',
    'wu:preflight',
    'wu:claim',
    'wu:brief',
    'wu:comment',
    'wu:history',
    'wu:delegate',
    'wu:block',
    'wu:unblock',
    'wu:release',
    'wu:escalate',
    'wu:sandbox',
    'wu:prep',
    'wu:done',
    'worktree:create',
    'worktree:remove',
    'delegation:record',
    'evidence:list',
  ],
  'goes on with an initiative': [
    'initiative:edit',
    'initiative:status',
    'initiative:add-wu',
    'initiative:remove-wu',
    'initiative:bulk-assign',
    'initiative:plan',
    'orchestrate:initiative',
    'orchestrate:init-status',
  ],
  'goes on with what was locked': ['lane-lock:acquire', 'lane-lock:release', 'lane-lock:freeze', 'lane-lock:break'],
  'goes on with what is remembered': [
    'mem:start',
    'mem:checkpoint',
    'mem:recover',
    'mem:summarize',
    'mem:triage',
    'mem:promote',
    'mem:delete',
    'agent:session-end',
    'agent:heartbeat',
    'plan:edit',
    'plan:link',
    'plan:promote',
    'docs:sync',
  ],
  'needs a remote': ['git:push'],
  'goes on with a finished work unit': ['wu:undo'],
};

export const deliveryConformance: ConformanceOptions = {
  files: {
    'a.txt': 'one\ntwo\n',
    'b.txt': 'b',
    'c.txt': 'c',
    'commands/greet.mjs': 'export const main = () => console.log("hello");\n',
  },
  prepare: makeRepository,
  trust: 'in_process',
  config: {
    gates: {commands: {test: 'echo passed > report.txt'}},
    git: {author: {name: 'Ada', email: 'ada@example.com'}},
    cli: {root: 'commands', commands: {greet: {permission: 'read', description: 'Greets'}}},
  },
  // The work units that wu:create and wu:proto open stay open: what writes says that it means the checkout.
  examples: {
    'file:read': [{path: 'a.txt'}, {path: 'a.txt', start_line: 2}],
    'file:write': [{path: 'new/d.txt', content: 'd', main_checkout: true}],
    'file:edit': [{path: 'a.txt', old_text: 'one', new_text: 'ONE', main_checkout: true}],
    'file:delete': [{path: 'b.txt', main_checkout: true}],
    'file:search': [{pattern: 'two'}],
    'git:add': [{paths: ['c.txt'], main_checkout: true}],
    'git:commit': [{message: 'second', main_checkout: true}],
    gates: [{main_checkout: true}],
    'wu:create': [wu],
    'wu:search': [{query: 'anything'}],
    'wu:proto': [{title: 'A trial', lane: 'main', code_paths: ['src/**'], question: 'Does it work at all?'}],
    'wu:infer-lane': [{code_paths: ['src/**']}],
    'mem:create': [{type: 'note', content: 'Tests need a minute.'}],
    'mem:search': [{query: 'tests'}],
    'mem:signal': [{message: 'Somebody is here.'}],
    'agent:session': [{agent: 'ada'}],
    'agent:log-issue': [
      {category: 'tooling', severity: 'minor', title: 'Slow tests', description: 'They take a minute.'},
    ],
    'plan:create': [{title: 'A plan'}],
    'config:propose': [
      {pointer: '/main_branch', value: 'trunk'},
      {lanes: [{id: 'more', title: 'More', code_paths: ['more/**']}]},
    ],
    'cli:run': [{command: 'greet'}],
  },
  exempt: Object.fromEntries(
    Object.entries(triedElsewhere).flatMap(([why, tools]) => tools.map((tool) => [tool, `${why}: test/acceptance`])),
  ),
};
