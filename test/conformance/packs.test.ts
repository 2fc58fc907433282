// Every pack of this repository passes the suite for pack authors.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {packConformance, type ConformanceOptions} from '@lumenflow/host/testing';
import {describe, expect, test} from 'vitest';
import {copyPackage} from '../support/copy-package.ts';
import {agentConformance} from './agent-conformance.ts';
import {deliveryConformance} from './delivery-conformance.ts';

const repository = join(import.meta.dirname, '..', '..');

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
  'packs/software-delivery': deliveryConformance,
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

test.each(Object.keys(deliveryConformance.exempt ?? {}))('%s, which is exempt, is tried in test/acceptance', (tool) => {
  const folder = join(repository, 'test/acceptance');
  const tests = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((path) => path.endsWith('.test.ts'));
  expect(tests.some((path) => readFileSync(join(folder, path), 'utf8').includes(`'${tool}'`))).toBe(true);
});
