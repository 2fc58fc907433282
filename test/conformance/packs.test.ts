// Every pack of this repository is held to what a pack's author holds their own to.
import {execFile} from 'node:child_process';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {packConformance, type ConformanceOptions} from '@lumenflow/host/testing';
import {describe, expect, test} from 'vitest';
import {copyPackage} from '../support/copy-package.ts';
import {agentConformance} from './agent-conformance.ts';

const repository = join(import.meta.dirname, '..', '..');

async function makeRepository(root: string): Promise<void> {
  const git = async (...args: string[]): Promise<unknown> => {
    const who = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    const env = {...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1'};
    return await promisify(execFile)('git', [...who, ...args], {cwd: root, env});
  };
  await git('init', '--quiet');
  await git('add', 'a.txt');
  await git('commit', '--quiet', '--message', 'first');
  await git('add', 'b.txt');
}

const packs: Readonly<Record<string, ConformanceOptions>> = {
  'examples/hello-pack': {},
  'examples/probe-pack': {
    files: {'a.txt': 'a'},
    examples: {'probe:read-file': [{path: 'a.txt'}], 'probe:connect': [{host: '127.0.0.1', port: 9}]},
  },
  'examples/cli-bridge': {
    files: {
      'notes.txt': 'one two three\n',
      'commands/words.mjs': `import {readFileSync} from 'node:fs';
        export function main() { console.log(readFileSync(process.argv[3], 'utf8').split(/\\s+/u).filter(Boolean).length); }`,
    },
    prepare(root) {
      const installed = join(repository, 'examples/cli-bridge');
      for (const name of ['semver', 'marked']) copyPackage(name, installed, join(root, 'node_modules'));
    },
    examples: {
      'versions:sort': [
        {versions: ['1.2.3', '0.1.0'], range: '>=0.1'},
        {versions: ['1.0.0'], range: '>2'},
      ],
      'markdown:render': [{markdown: '# hi'}],
      'report:words': [{path: 'notes.txt'}],
    },
  },
  'packs/software-delivery': {
    files: {'a.txt': 'one\ntwo\n', 'b.txt': 'b', 'c.txt': 'c'},
    prepare: makeRepository,
    config: {
      gates: {commands: {test: 'echo passed > report.txt'}},
      git: {author: {name: 'Ada', email: 'ada@example.com'}},
    },
    examples: {
      'file:read': [{path: 'a.txt'}, {path: 'a.txt', start_line: 2}],
      'file:write': [{path: 'new/d.txt', content: 'd'}],
      'file:edit': [{path: 'a.txt', old_text: 'one', new_text: 'ONE'}],
      'file:delete': [{path: 'b.txt'}],
      'file:search': [{pattern: 'two'}],
      'git:add': [{paths: ['c.txt']}],
      'git:commit': [{message: 'second'}],
    },
  },
  'packs/agent-runtime': agentConformance,
};

const checked = await Promise.all(
  Object.entries(packs).map(
    async ([folder, options]) => [folder, await packConformance(join(repository, folder), options)] as const,
  ),
);

describe.each(checked)('%s', (_folder, checks) => {
  test('is checked tool by tool', () => expect(checks.length).toBeGreaterThan(5));
  for (const check of checks) test(check.name, check.run);
});
