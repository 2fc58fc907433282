// Parses the words after a tool's name: its flags, fields as for `tools call`, and call options.
import {nearestName} from '@lumenflow/kernel';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {flagValue, WrongValue, wrongValue} from './flag-value.ts';
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
}

/** Throws CliError USAGE, naming the flag. `command` is the command line that the advice on help names. */
export function parseFlags(args: readonly string[], flags: readonly ToolFlag[], command: string): ParsedFlags {
  const known = new Map(flags.map((flag) => [flag.name, flag]));
  const input: Record<string, unknown> = {};
  const fields: string[] = [];
  const options: Partial<Record<CallOption, string>> = {};
  const seen = new Set<string>();
  const words = [...args];
  const readWord = (word: string): void => {
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
    const {flag, isNegated} = findFlag(name, known, command);
    const isTwice = seen.has(flag.name) && !flag.repeats;
    seen.add(flag.name);
    const value = isNegated ? false : valueOf(flag, attached, take);
    if (isTwice) throw wrongValue(flag.name, 'is given twice');
    put(input, flag, value);
  };
  const wrongValues: CliError[] = [];
  for (let word = words.shift(); word !== undefined; word = words.shift()) {
    try {
      readWord(word);
    } catch (error) {
      // After an unknown flag, it is unclear whether the next word belongs to it.
      if (!(error instanceof WrongValue)) throw error;
      wrongValues.push(error);
    }
  }
  if (wrongValues.length > 0) throw togetherOf(wrongValues);
  return {input, fields, options};
}

function togetherOf(errors: readonly CliError[]): CliError {
  const [only, ...more] = errors;
  if (only !== undefined && more.length === 0) return only;
  const lines = errors.map(({message, options: {help}}) => (help === undefined ? message : `${message} (${help})`));
  return new CliError('USAGE', lines.join('; '), {exitCode: exitCode.usage});
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
  known: ReadonlyMap<string, ToolFlag>,
  command: string,
): {readonly flag: ToolFlag; readonly isNegated: boolean} {
  const flag = known.get(name);
  if (flag) return {flag, isNegated: false};
  // A nested flag can be named by its last part, if no other ends with it: `--title` for `--changes.title`.
  const ending = [...known.values()].filter((each) => each.name.endsWith(`.${name}`));
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return {flag: only, isNegated: false};
  const negated = name.startsWith('no-') ? known.get(name.slice(3)) : undefined;
  if (negated?.kind === 'boolean') return {flag: negated, isNegated: true};
  const near = nearestName(name, [...known.keys(), ...callOptions.map((option) => optionName(option, known))]);
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
