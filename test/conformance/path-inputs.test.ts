// Inputs that are workspace paths say so in their schema, or a rule about paths could not see them.
import {readdirSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {parse} from 'yaml';

const repository = join(import.meta.dirname, '..', '..');
const pathName = /[_/](?:path|file|dir|director(?:y|ie)|folder|root|from|to|cwd|target|destination)s?$/u;

/** Inputs with the name of a path that are something else. */
const notPaths: Readonly<Record<string, string>> = {
  'agent:log-issue /files': 'text of a report, never opened',
  'delegation:list /to': 'an agent',
  'delegation:record /to': 'an agent',
  'git:diff /from': 'a revision',
  'git:diff /to': 'a revision',
  'mem:inbox /from': 'an agent or a session',
  'mem:signal /reply_to': 'an id of a signal',
  'mem:signal /to': 'an agent or a session',
  'orchestrate:initiative /to': 'an agent',
  'plan:link /to': 'a work unit or an initiative',
  'wu:call-forge /open/target': 'a branch',
  'wu:delegate /to': 'an agent',
  'wu:prepare-revert /from': 'a revision',
  'wu:prepare-revert /to': 'a revision',
};
/** Patterns that say what a work unit is about; no tool opens them. */
const patterns = /\/code_paths$/u;

interface Schema {
  readonly [keyword: string]: unknown;
}

interface Manifest {
  readonly tools?: readonly {readonly name: string; readonly input_schema?: Schema}[];
}

function* propertiesOf(node: unknown, at: string): Iterable<readonly [pointer: string, schema: Schema]> {
  if (typeof node !== 'object' || node === null) return;
  for (const [key, value] of Object.entries(node)) {
    if (key !== 'properties') yield* propertiesOf(value, at);
    else {
      for (const [name, schema] of Object.entries(value as Record<string, Schema>)) {
        yield [`${at}/${name}`, schema];
        yield* propertiesOf(schema, `${at}/${name}`);
      }
    }
  }
}

function isDeclared(schema: Schema): boolean {
  const text = JSON.stringify(schema);
  return text.includes('"format":"workspace-path"') || text.includes('"$ref"');
}

const manifests = ['packs', 'examples'].flatMap((folder) =>
  readdirSync(join(repository, folder), {recursive: true, encoding: 'utf8'})
    .filter(
      (file) => /(?:^|\/)(?:manifest\.yaml|manifest\/[^/]+\.yaml)$/u.test(file) && !/node_modules|dist/u.test(file),
    )
    .map((file) => join(folder, file)),
);

const inputs = manifests.flatMap((file) => {
  const {tools = []} = parse(readFileSync(join(repository, file), 'utf8'), {maxAliasCount: -1}) as Manifest;
  return tools.flatMap(({name, input_schema: schema}) =>
    [...propertiesOf(schema, '')].map(([pointer, own]) => ({name: `${name} ${pointer}`, schema: own})),
  );
});

test('every input with the name of a path says that it is one', () => {
  const named = inputs.filter(({name}) => pathName.test(name) && !patterns.test(name));
  expect(named.length).toBeGreaterThan(12);
  const silent = named.filter(({name, schema}) => !isDeclared(schema) && !Object.hasOwn(notPaths, name));
  expect(silent.map(({name}) => name)).toEqual([]);
});

test('every exemption names an input that there is', () => {
  const names = new Set(inputs.map(({name}) => name));
  expect(Object.keys(notPaths).filter((name) => !names.has(name))).toEqual([]);
});
