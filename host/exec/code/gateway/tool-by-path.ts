// Finds the tool that code names with the words of its language: `tools.git.commitAll`, `tools.git.commit_all` and `tools.git_commit_all`
// are `git:commit-all`.
import {failed, nearestName, ok, type Outcome} from '@lumenflow/kernel';
import type {ToolFailure} from '@lumenflow/schemas';

type Names = ReadonlyMap<string, unknown>;

/** By their words, for each set of tools. */
const known = new WeakMap<Names, ReadonlyMap<string, readonly string[]>>();

export function toolByPath(tools: Names, path: readonly string[]): Outcome<string, ToolFailure> {
  const [namespace = '', ...rest] = path;
  const exact = rest.length === 0 ? namespace : `${namespace}:${rest.join('.')}`;
  if (tools.has(exact)) return ok(exact);
  const [found, second] = byWords(tools).get(wordsOf(exact)) ?? [];
  if (found === undefined) return failed(notFound(exact, tools));
  return second === undefined ? ok(found) : failed(ambiguous(path, [found, second]));
}

function byWords(tools: Names): ReadonlyMap<string, readonly string[]> {
  const cached = known.get(tools);
  if (cached !== undefined) return cached;
  const words = new Map<string, string[]>();
  for (const name of tools.keys()) words.set(wordsOf(name), [...(words.get(wordsOf(name)) ?? []), name]);
  known.set(tools, words);
  return words;
}

function wordsOf(name: string): string {
  return name.replace(/[-_.:]/gu, '').toLowerCase();
}

function notFound(id: string, tools: Names): ToolFailure {
  const nearest = nearestName(id, [...tools.keys()]);
  const message = `there is no tool \`${id}\`${nearest === undefined ? '' : `: did you mean \`${nearest}\`?`}`;
  return {code: 'TOOL_NOT_FOUND', message, ...(nearest !== undefined && {details: {nearest}})};
}

function ambiguous(path: readonly string[], ids: readonly string[]): ToolFailure {
  const listed = ids.map((id) => `\`${id}\``).join(' and ');
  const message = `\`tools.${path.join('.')}\` can be ${listed}: name one with \`runTool\``;
  return {code: 'INVALID_INPUT', message};
}
