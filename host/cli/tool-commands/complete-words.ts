// Lists the candidates at the cursor of a command line: commands, tools, flags and enumerated values.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {callOptions, optionName} from './parse-flags.ts';
import {flagsOf, type ToolFlag} from './tool-flags.ts';

export interface CommandTree {
  readonly name: string;
  readonly description: string;
  readonly commands: readonly CommandTree[];
  readonly options: readonly CommandOption[];
  /** What its first argument names: `tool`, `receipt`, `task`, … */
  readonly argument: string | undefined;
}

export interface CommandOption {
  readonly flag: string;
  readonly description: string;
  /** Absent for a switch. `name` is what the value names, and `choices` are the only valid values. */
  readonly value?: {readonly name: string; readonly choices: readonly string[]};
}

export interface Suggestion {
  readonly value: string;
  readonly description: string;
}

export interface Completion {
  readonly suggestions: readonly Suggestion[];
  /** What the word at the cursor names, for a value that only the workspace knows: `receipt`, `task`, … */
  readonly names?: string;
}

/** `words` follow the program's name. The last one is incomplete and can be empty. */
export function completeWords(
  words: readonly string[],
  tree: CommandTree,
  tools: readonly ToolDeclaration[],
): Completion {
  const current = words.at(-1) ?? '';
  const before = words.slice(0, -1).filter((word) => word !== 'help');
  const command = commandAt(before, tree);
  const option = valueAt(before, [...command.options, ...tree.options]);
  if (option !== undefined) {
    const values = option.choices.map((choice) => ({value: choice, description: ''}));
    return {suggestions: startingWith(values, current), names: option.name};
  }
  const tool = toolAt(before, tree, tools);
  const ofCall = tool && callOptionAt(before, tool);
  if (ofCall !== undefined) return {suggestions: [], names: ofCall};
  const suggestions = startingWith(
    tool ? flagsBehind(before, tool, tree) : suggestionsBehind(before, tree, tools),
    current,
  );
  const isFirst = command !== tree && command.commands.length === 0 && before.at(-1) === command.name;
  return isFirst && command.argument !== undefined ? {suggestions, names: command.argument} : {suggestions};
}

function startingWith(suggestions: readonly Suggestion[], start: string): readonly Suggestion[] {
  return suggestions.filter(({value}) => value.startsWith(start));
}

/** The innermost built-in command that the words name. */
function commandAt(words: readonly string[], tree: CommandTree): CommandTree {
  const child = tree.commands.find(({name}) => name === words[0]);
  return child ? commandAt(words.slice(1), child) : tree;
}

/** The value that the cursor is at, if the last word is an option that takes one. */
function valueAt(before: readonly string[], options: readonly CommandOption[]): CommandOption['value'] {
  return options.find(({flag}) => flag === before.at(-1))?.value;
}

function suggestionsBehind(
  before: readonly string[],
  tree: CommandTree,
  tools: readonly ToolDeclaration[],
): readonly Suggestion[] {
  const [first] = before;
  if (first === undefined || first.startsWith('-')) return [...commandsOf(tree), ...domainsOf(tools, tree)];
  const command = tree.commands.find(({name}) => name === first);
  return command ? commandSuggestions(before.slice(1), command, tools) : verbsOf(first, tools);
}

/** The tool that the first words name, unless a built-in command has the same name. */
function toolAt(
  [first = '', second]: readonly string[],
  tree: CommandTree,
  tools: readonly ToolDeclaration[],
): ToolDeclaration | undefined {
  const command = tree.commands.find(({name}) => name === first);
  if (command?.commands.some(({name}) => name === second) === true) return undefined;
  const named = command ? [`${first}:${second}`] : [first, `${first}:${second}`];
  return tools.find(({name}) => named.includes(name));
}

/** The option of the call whose value the cursor is at. Every one of them takes a value. */
function callOptionAt(before: readonly string[], {input_schema: schema}: ToolDeclaration): string | undefined {
  const known = new Map(flagsOf(schema).map((flag) => [flag.name, flag]));
  return callOptions.find((option) => before.at(-1) === `--${optionName(option, known)}`);
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
  const names = command.argument === 'tool' && next === undefined ? tools : [];
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
