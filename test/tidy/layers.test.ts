import {describe, expect, test} from 'vitest';
import {readPackages, readRepository} from './repository.ts';
import {findForbiddenImports} from './rules/forbidden-imports.ts';
import type {Package} from './rules/house.ts';
import {isFixture, isSource, report} from './rules/source-file.ts';

const files = readRepository();

test('every import is one that the table of layers and the package.json allow', () => {
  const sources = files.filter(({path}) => isSource(path) && !isFixture(path));
  expect(sources.length).toBeGreaterThan(50);
  expect(report(findForbiddenImports(sources, readPackages(files)))).toEqual([]);
});

describe('the rule finds', () => {
  const ours = (folder: string, dependencies: readonly string[], entries = ['.']): Package => ({
    name: `@lumenflow/${folder}`,
    folder,
    entries,
    dependencies,
    devDependencies: [],
  });
  const packages: readonly Package[] = [
    {name: 'lumenflow', folder: '', entries: [], dependencies: [], devDependencies: ['vitest', 'ajv']},
    ours('schemas', [], ['.', './*.schema.json']),
    ours('pack-sdk', ['@lumenflow/schemas', '@standard-schema/spec'], ['.', './invoke']),
    ours('kernel', ['@lumenflow/schemas', 'yaml'], ['.', './adapters', './node']),
    ours('sandbox', ['@lumenflow/kernel', '@lumenflow/pack-sdk', '@lumenflow/schemas', 'execa']),
    ours('host', ['@lumenflow/kernel', '@lumenflow/pack-sdk', '@lumenflow/sandbox', '@lumenflow/packs-one']),
    ours('test', ['@lumenflow/host', '@lumenflow/kernel']),
    {
      ...ours('packs/one', ['@lumenflow/pack-sdk', '@lumenflow/kernel']),
      name: '@lumenflow/packs-one',
      devDependencies: ['@lumenflow/schemas'],
    },
  ];
  const findings = (path: string, text: string): readonly string[] =>
    report(findForbiddenImports([{path, text}], packages));

  test.each([
    ['a pure package that imports Node', 'kernel/a.ts', `import {readFileSync} from 'node:fs';`, 'this code is pure'],
    ['even its types', 'kernel/a.ts', `import type {Stats} from 'node:fs';`, 'this code is pure'],
    ['a pure package that imports npm', 'kernel/calls/a.ts', `import {parse} from 'yaml';`, 'no package of others'],
    ['a computed import in pure code', 'kernel/a.ts', `await import(name);`, 'computed'],
    ['kernel reaching for its adapters', 'kernel/a.ts', `import {b} from '@lumenflow/kernel/node';`, 'may not'],
    ['the same by a path', 'kernel/a.ts', `import {b} from './node/b.ts';`, 'leaves its layer'],
    ['a way around by a path', 'kernel/a.ts', `export {b} from '../host/b.ts';`, 'leaves its package'],
    ['an import type', 'kernel/a.ts', `import type {B} from '@lumenflow/host';`, 'may not'],
    ['a type in passing', 'kernel/a.ts', `export type A = import('@lumenflow/host').B;`, 'may not'],
    ['a dynamic import', 'kernel/a.ts', `await import('@lumenflow/host');`, 'may not'],
    ['a require', 'sandbox/a.ts', `const b = require('@lumenflow/host');`, 'may not'],
    ['a resolve', 'sandbox/a.ts', `import.meta.resolve('@lumenflow/host');`, 'may not'],
    ['an SDK that loads Node', 'pack-sdk/a.ts', `import {join} from 'node:path';`, 'only types of Node'],
    ['a sandbox that runs the kernel', 'sandbox/a.ts', `import {b} from '@lumenflow/kernel';`, 'only its types'],
    [
      'a sandbox at the door for adapters',
      'sandbox/a.ts',
      `import type {A} from '@lumenflow/kernel/adapters';`,
      'may not',
    ],
    ['more of the SDK than invoke', 'sandbox/a.ts', `import {b} from '@lumenflow/pack-sdk';`, 'may not'],
    ['a host that imports a pack', 'host/a.ts', `import {b} from '@lumenflow/packs-one';`, 'may not'],
    ['a test that imports a pack', 'test/a.test.ts', `import {b} from '@lumenflow/packs-one';`, 'may not'],
    ['a pack that imports the kernel', 'packs/one/a.ts', `import {b} from '@lumenflow/kernel';`, 'may not'],
    ['a pack that imports schemas', 'packs/one/a.ts', `import {b} from '@lumenflow/schemas';`, 'may not'],
    ['a pack test that boots the host', 'packs/one/a.test.ts', `import {b} from '@lumenflow/host';`, 'may not'],
    ['an inner file', 'host/a.ts', `import {b} from '@lumenflow/kernel/calls/b.ts';`, 'not a public entry'],
    ['an undeclared package', 'host/a.ts', `import {z} from 'zod';`, 'not among the dependencies'],
    ['a dependency of others', 'host/a.ts', `import {b} from '@lumenflow/schemas';`, 'does not declare'],
    ['a development tool in source', 'kernel/node/a.ts', `import {test} from 'vitest';`, 'not among'],
    ['a test past the front door', 'test/acceptance/a.test.ts', `import {b} from '../../host/b.ts';`, 'leaves its'],
    ['a bare Node module', 'host/a.ts', `import fs from 'fs';`, 'write `node:fs`'],
    ['an address', 'host/a.ts', `import b from 'https://example.com/b.js';`, 'name a package or a file'],
    ['a folder without a row', 'misc/a.ts', `export const a = 1;`, 'no layer'],
  ])('%s', (_, path, text, message) => {
    expect(findings(path, `// a comment\n${text}\n`)).toEqual([expect.stringContaining(message)]);
  });

  test('the line of the import', () => {
    expect(findings('kernel/a.ts', `\n\nimport {b} from 'node:fs';`)[0]).toMatch(/^kernel\/a\.ts:3 /);
  });

  test.each([
    ['kernel/a.ts', `import type {A} from '@lumenflow/schemas'; import {b} from './calls/b.ts';`],
    ['kernel/node/a.ts', `import {b} from '@lumenflow/kernel/adapters'; import {parse} from 'yaml'; import 'node:fs';`],
    ['kernel/a.test.ts', `import {test} from 'vitest'; import {readFileSync} from 'node:fs';`],
    ['pack-sdk/a.ts', `import type {Readable} from 'node:stream';`],
    ['sandbox/a.ts', `import type {Ports} from '@lumenflow/kernel'; import {i} from '@lumenflow/pack-sdk/invoke';`],
    ['packs/one/a.test.ts', `import {b} from '@lumenflow/schemas';`],
    ['schemas/generate.ts', `import {readFileSync} from 'node:fs'; import {Ajv} from 'ajv';`],
    ['kernel/b.ts', `// import {a} from 'node:fs'\nexport const text = "import {a} from 'node:fs'";`],
    ['sandbox/b.ts', `import a from '@lumenflow/schemas/event.schema.json' with {type: 'json'};`],
  ])('nothing in %s', (path, text) => {
    expect(findings(path, text)).toEqual([]);
  });
});
