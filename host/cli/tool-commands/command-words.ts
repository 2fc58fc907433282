// Which words of a command line name a tool: `wu claim` is `wu:claim`, unless a command of the program is meant.
import type {GlobalOptions} from '../create-context.ts';

/** The program's own commands by name, each with the commands in it. */
export type BuiltIns = ReadonlyMap<string, ReadonlySet<string>>;

export interface ToolWords {
  /** Options of the program itself. */
  readonly globals: GlobalOptions;
  readonly wantsHelp: boolean;
  /** `domain:verb` first where two words may be one; with how many words each takes. */
  readonly candidates: readonly {readonly tool: string; readonly words: number}[];
  /** The first word, which may be a domain. */
  readonly domain: string;
  /** The words from the name on, without the program's options. */
  readonly args: readonly string[];
}

/** Undefined when the program's own command is meant, or nothing is. A name with a colon is always a tool's. */
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

/** Wherever they stand, up to `--`. */
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
