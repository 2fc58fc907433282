// A call's writes are applied when it has ended, but its log records and kernel requests take effect immediately. So no tool does
// both: a tool that records makes a nested call for its writes, and continues after it.
import {readdirSync, readFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, it} from 'vitest';
import {parse} from 'yaml';

interface Tool {
  readonly name: string;
  readonly handler_entry: string;
  readonly required_scopes?: readonly {readonly type: string; readonly access?: string}[];
}

const pack = import.meta.dirname;
const tools = readdirSync(join(pack, 'manifest')).flatMap(
  (file) => (parse(readFileSync(join(pack, 'manifest', file), 'utf8')) as {tools: readonly Tool[]}).tools,
);

/** An append to the log, or a change of a kernel task. */
const records = /\.decide\(|\bkernelTasks\(|'kernel:(?!list-|show-)/u;

/** The modules that a handler loads at run time. Type imports are not loaded. */
function modulesOf(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  const imports = readFileSync(file, 'utf8').matchAll(/^import (?!type\b)[^;]*?from '(\.[^']+)';/gmu);
  for (const [, path = ''] of imports) modulesOf(join(dirname(file), path), found);
  return found;
}

function recordingModules({handler_entry: entry}: Tool): readonly string[] {
  const modules = [...modulesOf(join(pack, entry.slice(0, entry.indexOf('#'))))];
  return modules.filter((file) => records.test(readFileSync(file, 'utf8'))).map((file) => file.slice(pack.length + 1));
}

const mayWrite = ({required_scopes: scopes = []}: Tool): boolean =>
  scopes.some(({type, access}) => type === 'path' && access === 'write');

describe('a tool that can write files', () => {
  it.each(tools.filter(mayWrite))('records nothing: $name', (tool) => {
    expect(recordingModules(tool)).toEqual([]);
  });

  it.each(['wu:create', 'wu:claim', 'wu:done', 'wu:prune', 'plan:promote', 'mem:triage'])(
    'is not %s, which records',
    (name) => {
      const tool = tools.find((each) => each.name === name);
      expect(tool && recordingModules(tool)).not.toEqual([]);
    },
  );
});
