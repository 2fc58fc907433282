import {expect, test} from 'vitest';
import {readRepository} from './repository.ts';
import {findLoadedPackages} from './rules/loaded-packages.ts';
import {isSource, report, type SourceFile} from './rules/source-file.ts';

const servers = ['hono', '@hono/node-server', '@modelcontextprotocol/server'];
const serving = ['serve', 'mcp', 'mcp-misused'].map((name) => `host/cli/commands/${name}.ts`);

test('no command loads a server, except those that serve', () => {
  const files = readRepository().filter(({path}) => isSource(path));
  const commands = files.map(({path}) => path).filter((path) => path.startsWith('host/cli/commands/'));
  const others = commands.filter((path) => !path.endsWith('.test.ts') && !serving.includes(path));
  expect(others.length).toBeGreaterThan(50);
  expect(report(findLoadedPackages(files, others, servers))).toEqual([]);
  expect(findLoadedPackages(files, serving, servers).length).toBeGreaterThan(0);
});

const file = (path: string, text: string): SourceFile => ({path, text});

test('reports the chain of imports, and neither types nor what is loaded later', () => {
  const files = [
    file('a/a.ts', `import {b} from '../b.ts';\nimport type {T} from 'hono';\nawait import('hono');\n`),
    file('b.ts', `export {c} from './c.ts';\n`),
    file('c.ts', `import {Hono} from 'hono/tiny';\nimport 'honor';\nimport './b.ts';\n`),
  ];
  expect(report(findLoadedPackages(files, ['a/a.ts'], ['hono']))).toEqual([
    'c.ts:1 `hono/tiny` is loaded by a/a.ts → b.ts → c.ts',
  ]);
});
