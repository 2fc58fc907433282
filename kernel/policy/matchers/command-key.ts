// `command`: what the command in an argument runs. The shell's grammar decides, not a pattern over the raw text.
import type {CommandMatcher} from '@lumenflow/schemas';
import {isRecord} from '../is-record.ts';
import {parseJsonPointer, valueAt} from '../json-pointer.ts';
import type {MatcherSite} from '../matcher-site.ts';
import type {PolicyRequest} from '../policy-request.ts';
import {compileCommandPattern, type CommandPattern} from '../command-pattern.ts';
import {createShellLines, type ShellView} from '../shell/shell-lines.ts';
import {shellConstructs, type ShellConstruct} from '../shell/shell-reading.ts';
import {textsOfGlobs} from './globs-key.ts';
import type {MatcherKey} from './matcher-key.ts';

export const commandKey: MatcherKey = {
  compile(operand, pointer, site) {
    const reject = (at: string, message: string, help: string): (() => false) =>
      site.reject(`${pointer}${at}`, 'POLICY_COMMAND_INVALID', message, help);
    const {argument, runs, uses, ...others}: Readonly<Record<string, unknown>> = isRecord(operand) ? operand : {};
    const path = typeof argument === 'string' ? parseJsonPointer(argument) : undefined;
    if (path === undefined || (runs === undefined && uses === undefined) || Object.keys(others).length > 0) {
      const help = "for example `{argument: /command, runs: ['git push', 'npm publish']}`";
      return reject('', '`command` needs an `argument`, and `runs` or `uses`', help);
    }
    const tests = [
      ...(runs === undefined ? [] : [compileRuns(runs, site, reject)]),
      ...(uses === undefined ? [] : [compileUses(uses, site, reject)]),
    ];
    return (request) => {
      const given = commandAt(request, path);
      if (given === undefined) return false;
      const view = (request.shellLines ?? site.shellLines).view(given);
      return tests.every((test) => test(view));
    };
  },
  /** Without a tool there is no argument. */
  reach:
    () =>
    ({tool}) =>
      tool ? 'maybe' : 'never',
  *requires({argument, runs}: CommandMatcher) {
    const path = parseJsonPointer(argument);
    if (path === undefined) return;
    const names = runs && textsOfGlobs([runs].flat().map(nameInPattern) as [string]);
    if (names) yield {subject: `names#${argument}`, isList: true, read: namesAt(path), ...names};
    const read = (request: PolicyRequest): boolean => commandAt(request, path) !== undefined;
    yield {subject: `command#${argument}`, read, values: [true], prefixes: []};
  },
  names: () => [],
  example: () => ({}),
  insteadIn: (trigger) =>
    trigger === 'on_claim' || trigger === 'on_completion' ? 'use it in a rule of on_tool_request' : undefined,
};

function nameInPattern(pattern: string): string {
  return pattern.slice(0, pattern.indexOf(' ') === -1 ? undefined : pattern.indexOf(' ')).toLowerCase();
}

/** The names of all programs that may run; undefined if it may be any. Of many rules, only the first one's reader is used. */
function namesAt(path: readonly string[]): (request: PolicyRequest) => readonly string[] | undefined {
  const lines = createShellLines();
  return (request) => {
    const given = commandAt(request, path);
    if (given === undefined) return [];
    return (request.shellLines ?? lines).view(given).names;
  };
}

function commandAt({context, input}: PolicyRequest, path: readonly string[]): unknown {
  return valueAt(context.tool_arguments ?? input, path);
}

type Reject = (at: string, message: string, help: string) => () => false;
type ViewTest = (view: ShellView) => boolean;

function compileRuns(runs: unknown, site: MatcherSite, reject: Reject): ViewTest {
  const list: readonly unknown[] = Array.isArray(runs) ? runs : [runs];
  const patterns: CommandPattern[] = [];
  for (const [index, text] of list.entries()) {
    const pattern = typeof text === 'string' ? compileCommandPattern(text, site.compileRegex) : undefined;
    if (pattern?.ok) patterns.push(pattern.value);
    else {
      const at = Array.isArray(runs) ? `/runs/${index}` : '/runs';
      const help = pattern?.problem ?? 'write for example `git push`';
      return reject(at, `\`${String(text)}\` is not a pattern of a command`, help);
    }
  }
  if (site.isPermissive) {
    return ({certain = []}) =>
      certain.length > 0 && certain.every((words) => patterns.some((pattern) => pattern.certainly(words)));
  }
  return ({possible: {commands, mentioned, isOpen}}) =>
    isOpen ||
    patterns.some(
      (pattern) =>
        commands.some((words) => pattern.possibly(words)) || mentioned.some((words) => pattern.possiblyIn(words)),
    );
}

function compileUses(uses: unknown, site: MatcherSite, reject: Reject): ViewTest {
  const list: readonly unknown[] = Array.isArray(uses) ? uses : [];
  const named = shellConstructs.filter((construct) => list.includes(construct));
  if (named.length === 0 || named.length !== new Set(list).size) {
    return reject('/uses', '`uses` needs a list of constructs', `choose of ${shellConstructs.join(', ')}`);
  }
  const hasOne = (used: ReadonlySet<ShellConstruct>): boolean => named.some((construct) => used.has(construct));
  if (site.isPermissive) return (view) => hasOne(view.uses);
  return ({possible}) => possible.isOpen || hasOne(possible.uses);
}
