// Parses the words after a tool's name: its flags, fields as for `tools call`, and call options.
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {flagValue, wrongValue} from './flag-value.ts';
import {nearestWord} from './nearest-word.ts';
import type {ToolFlag} from './tool-flags.ts';

/** Call options, which every tool accepts. */
export const callOptions = ['input', 'lane', 'task', 'session', 'as'] as const;
export type CallOption = (typeof callOptions)[number];

export interface ParsedFlags {
  /** From the flags, nested as in the input. */
  readonly input: Readonly<Record<string, unknown>>;
  /** `key=value` and `key:=JSON`. */
  readonly fields: readonly string[];
  readonly options: Readonly<Partial<Record<CallOption, string>>>;
  /** All mistakes, so that a person corrects them together. */
  readonly mistakes: readonly Mistake[];
}

export interface Mistake {
  /** The flag whose value is wrong. */
  readonly flag?: string | undefined;
  readonly error: CliError;
}

/** `command` is the command line that the advice on help names. */
export function parseFlags(args: readonly string[], flags: readonly ToolFlag[], command: string): ParsedFlags {
  const parsing: Parsing = {known: namesOf(flags), flags, command, words: [...args], seen: new Set()};
  const parsed = {input: {}, fields: [], options: {}};
  const mistakes: Mistake[] = [];
  for (let word = parsing.words.shift(); word !== undefined; word = parsing.words.shift()) {
    try {
      parseWord(word, parsing, parsed);
    } catch (error) {
      if (!(error instanceof CliError)) throw error;
      const flag = word.startsWith('-') ? parsing.known.get(split(word).name)?.name : undefined;
      mistakes.push({error, flag});
    }
  }
  return {...parsed, mistakes};
}

interface Parsing {
  readonly known: ReadonlyMap<string, ToolFlag>;
  readonly flags: readonly ToolFlag[];
  readonly command: string;
  /** The words that follow. */
  readonly words: string[];
  readonly seen: Set<string>;
}

interface Parsed {
  readonly input: Record<string, unknown>;
  readonly fields: string[];
  readonly options: Partial<Record<CallOption, string>>;
}

/** Throws CliError USAGE, naming the flag. */
function parseWord(word: string, parsing: Parsing, {input, fields, options}: Parsed): void {
  const {known, flags, command, words, seen} = parsing;
  if (!word.startsWith('-')) {
    fields.push(checkField(word, flags, command));
    return;
  }
  const {name, value: attached} = split(word);
  const take = (): string => {
    const value = attached ?? words.shift();
    if (value === undefined) throw wrongValue(name, 'needs a value');
    return value;
  };
  const option = optionOf(name, known);
  if (option) {
    options[option] = take();
    return;
  }
  const {flag, isNegated} = findFlag(name, parsing);
  if (seen.has(flag.name) && !flag.repeats) {
    if (flag.kind !== 'boolean') take();
    throw wrongValue(flag.name, 'is given twice');
  }
  seen.add(flag.name);
  put(input, flag, isNegated ? false : valueOf(flag, attached, take));
}

/** Each flag by its name, and by the last part of it if that is not ambiguous: `--code-paths` for `--changes.code-paths`. */
export function namesOf(flags: readonly ToolFlag[]): ReadonlyMap<string, ToolFlag> {
  const known = new Map(flags.map((flag) => [flag.name, flag]));
  const isTaken = (short: string): boolean => known.has(short) || callOptions.some((option) => option === short);
  const shorts = flags.map((flag) => [flag.name.split('.').at(-1) ?? '', flag] as const);
  const unique = shorts.filter(
    ([short]) => !isTaken(short) && shorts.filter(([other]) => other === short).length === 1,
  );
  return new Map([...known, ...unique]);
}

/** A tool's field of the same name takes precedence; the option then has only its long name. */
export function optionName(option: CallOption, known: ReadonlyMap<string, ToolFlag>): string {
  return known.has(option) ? `call-${option}` : option;
}

function optionOf(name: string, known: ReadonlyMap<string, ToolFlag>): CallOption | undefined {
  return callOptions.find((option) => name === `call-${option}` || name === optionName(option, known));
}

function split(word: string): {readonly name: string; readonly value: string | undefined} {
  const body = word.replace(/^--?/u, '');
  const at = body.indexOf('=');
  const name = (at === -1 ? body : body.slice(0, at)).replaceAll('_', '-');
  return {name: name === 'i' ? 'input' : name, value: at === -1 ? undefined : body.slice(at + 1)};
}

function findFlag(
  name: string,
  {known, words, command}: Parsing,
): {readonly flag: ToolFlag; readonly isNegated: boolean} {
  const flag = known.get(name);
  if (flag) return {flag, isNegated: false};
  const negated = name.startsWith('no-') ? known.get(name.slice(3)) : undefined;
  if (negated?.kind === 'boolean') return {flag: negated, isNegated: true};
  // Its value does not belong to another flag.
  if (words[0] !== undefined && !words[0].startsWith('-')) words.shift();
  const near = nearestWord(name, [...known.keys(), ...callOptions.map((option) => optionName(option, known))]);
  throw new CliError('USAGE', `unknown flag \`--${name}\``, {
    help: near === undefined ? `see \`${command} --help\`` : `did you mean \`--${near}\`?`,
    exitCode: exitCode.usage,
  });
}

/** A boolean accepts only an attached value. */
function valueOf(flag: ToolFlag, attached: string | undefined, take: () => string): unknown {
  if (flag.kind === 'boolean' && !flag.repeats) return attached === undefined ? true : flagValue(flag, attached);
  return flagValue(flag, take());
}

function put(input: Record<string, unknown>, {path, repeats}: ToolFlag, value: unknown): void {
  const last = path.at(-1) ?? '';
  let place = input;
  for (const part of path.slice(0, -1)) place = (place[part] ??= {}) as Record<string, unknown>;
  place[last] = repeats ? [...((place[last] as readonly unknown[] | undefined) ?? []), value] : value;
}

function checkField(word: string, flags: readonly ToolFlag[], command: string): string {
  if (/^[^=:]+:?=/u.test(word)) return word;
  const [wanted] = flags.filter(({required}) => required);
  throw new CliError('USAGE', `\`${word}\` does not belong to a flag`, {
    help: wanted === undefined ? `see \`${command} --help\`` : `write \`--${wanted.name} ${word}\`, or key=value`,
    exitCode: exitCode.usage,
  });
}
