// Finds the words of a command line that name a tool: `wu claim` is `wu:claim`, unless it is a built-in command.
import type {GlobalOptions} from '../terminal/create-context.ts';

/** The built-in commands by name, each with its subcommands. */
export type BuiltIns = ReadonlyMap<string, ReadonlySet<string>>;

export interface ToolWords {
  /** Global options. */
  readonly globals: GlobalOptions;
  readonly wantsHelp: boolean;
  /** Possible tool names with their number of words. `domain:verb` comes first if both are possible. */
  readonly candidates: readonly {readonly tool: string; readonly words: number}[];
  /** The first word, which can be a domain. */
  readonly domain: string;
  /** The words from the tool's name on, without global options. */
  readonly args: readonly string[];
}

/** Undefined for a built-in command or no match. A name with a colon is always a tool. */
export function readToolWords(given: readonly string[], builtIns: BuiltIns): ToolWords | undefined {
  const {globals, wantsHelp, rest} = takeGlobals(given);
  const asksHelp = rest[0] === 'help' && rest[1] !== undefined && !builtIns.has(rest[1]);
  const args = asksHelp ? rest.slice(1) : rest;
  const [domain] = args;
  if (domain === undefined || domain.startsWith('-')) return undefined;
  const candidates = candidatesFor(args, builtIns);
  return candidates && {globals, wantsHelp: wantsHelp || asksHelp, domain, args, candidates};
}

function candidatesFor(
  [first = '', second]: readonly string[],
  builtIns: BuiltIns,
): ToolWords['candidates'] | undefined {
  if (first.includes(':')) return [{tool: first, words: 1}];
  const verb = second !== undefined && /^[a-z][a-z0-9-]*$/u.test(second) ? second : undefined;
  const both = verb === undefined ? [] : [{tool: `${first}:${verb}`, words: 2}];
  const group = builtIns.get(first);
  if (!group) return [...both, {tool: first, words: 1}];
  const isOwn = verb === undefined || verb === 'help' || group.size === 0 || group.has(verb);
  return isOwn ? undefined : both;
}

/** Accepts global options anywhere before `--`. */
function takeGlobals(given: readonly string[]): {globals: GlobalOptions; wantsHelp: boolean; rest: string[]} {
  const globals: {json?: boolean; workspace?: string; color?: boolean} = {};
  const rest: string[] = [];
  let wantsHelp = false;
  const words = [...given];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    if (word === '--') return {globals, wantsHelp, rest: [...rest, ...words]};
    const [, attached] = /^(?:--workspace=|-w(?=.))(.*)$/su.exec(word) ?? [];
    if (word === '--json') globals.json = true;
    else if (word === '--no-color') globals.color = false;
    else if (word === '--help' || word === '-h') wantsHelp = true;
    else if (word === '--workspace' || word === '-w') globals.workspace = words.shift() ?? '.';
    else if (attached !== undefined) globals.workspace = attached;
    else rest.push(word);
  }
  return {globals, wantsHelp, rest};
}
