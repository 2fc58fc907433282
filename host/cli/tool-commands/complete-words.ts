// Lists the candidates at the cursor of a command line: commands, tools, flags and enumerated values.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {callOptions, optionName} from './parse-flags.ts';
import {flagsOf, type ToolFlag} from './tool-flags.ts';

export interface CommandTree {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly CommandTree[];
  readonly options: readonly {readonly flag: string; readonly description: string}[];
  /** Whether its first argument is a tool. */
  readonly takesTool: boolean;
}

export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

/** `words` follow the program's name. The last one is incomplete and can be empty. */
export function completeWords(
  words: readonly string[],
  tree: CommandTree,
  tools: readonly ToolDeclaration[],
): readonly Suggestion[] {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1).filter((word) => word !== 'help');
  return suggestionsBehind(before, tree, tools).filter(({value}) => value.startsWith(current));
}

function suggestionsBehind(
  before: readonly string[],
  tree: CommandTree,
  tools: readonly ToolDeclaration[],
): readonly Suggestion[] {
  const [first, second] = before;
  if (first === undefined || first.startsWith('-')) return [...commandsOf(tree), ...domainsOf(tools, tree)];
  const command = tree.commands.find(({name}) => name === first);
  const isOwn = command?.commands.some(({name}) => name === second) === true;
  const named = command ? [`${first}:${second}`] : [first, `${first}:${second}`];
  const tool = isOwn ? undefined : tools.find(({name}) => named.includes(name));
  if (tool) return flagsBehind(before, tool, tree);
  return command ? commandSuggestions(before.slice(1), command, tools) : verbsOf(first, tools);
}

function commandsOf({commands}: CommandTree): readonly Suggestion[] {
  return commands.map(({name, description}) => ({value: name, description}));
}

function domainsOf(tools: readonly ToolDeclaration[], {commands}: CommandTree): readonly Suggestion[] {
  const taken = new Set(commands.map(({name}) => name));
  const domains = new Map<string, string>();
  for (const {name, description} of tools) {
    const [domain = name, verb] = name.split(':');
    if (!taken.has(domain)) domains.set(domain, verb === undefined ? description : `tools of ${domain}`);
  }
  return [...domains].map(([value, description]) => ({value, description}));
}

function verbsOf(domain: string, tools: readonly ToolDeclaration[]): readonly Suggestion[] {
  return tools
    .filter(({name}) => name.startsWith(`${domain}:`))
    .map(({name, description}) => ({value: name.slice(domain.length + 1), description}));
}

function commandSuggestions(
  words: readonly string[],
  command: CommandTree,
  tools: readonly ToolDeclaration[],
): readonly Suggestion[] {
  const [next] = words;
  const child = command.commands.find(({name}) => name === next);
  if (child) return commandSuggestions(words.slice(1), child, tools);
  if (command.commands.length > 0) return [...commandsOf(command), ...verbsOf(command.name, tools)];
  const names = command.takesTool && next === undefined ? tools : [];
  return [
    ...names.map(({name, description}) => ({value: name, description})),
    ...command.options.map(({flag, description}) => ({value: flag, description})),
  ];
}

/** The values that a flag lists, else the remaining flags. */
function flagsBehind(before: readonly string[], tool: ToolDeclaration, tree: CommandTree): readonly Suggestion[] {
  const flags = flagsOf(tool.input_schema);
  const last = before.at(-1)?.replace(/^--/u, '');
  const asked = before.at(-1)?.startsWith('--') === true ? flags.find(({name}) => name === last) : undefined;
  if (asked && asked.kind !== 'boolean') {
    return (asked.choices ?? []).map((choice) => ({value: String(choice), description: asked.description}));
  }
  const known = new Map(flags.map((flag) => [flag.name, flag]));
  const isLeft = ({name, repeats}: ToolFlag): boolean => repeats || !before.includes(`--${name}`);
  return [
    ...flags.filter(isLeft).map(({name, description}) => ({value: `--${name}`, description})),
    ...callOptions.map((option) => ({value: `--${optionName(option, known)}`, description: 'of the call'})),
    ...tree.options.map(({flag, description}) => ({value: flag, description})),
  ];
}
