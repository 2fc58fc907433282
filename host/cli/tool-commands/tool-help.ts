// Renders help for a tool's command and for a domain, from the descriptions in the manifest.
import type {ToolDeclaration} from '@lumenflow/schemas';
import {cleanLine, cleanText} from '../rendering/clean-text.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import type {Style} from '../rendering/style.ts';
import {firstSentence} from '../../text/first-sentence.ts';
import {callOptions, namesOf, optionName, type CallOption} from './parse-flags.ts';
import {flagsOf, type ToolFlag} from './tool-flags.ts';

const saysOfOption: Readonly<Record<CallOption, string>> = {
  input: 'the input as JSON, @file, or - for stdin',
  lane: "lane of the call's own task (default: the first lane)",
  task: 'call in this active task',
  session: 'continue in the task of this session (default: LUMENFLOW_SESSION)',
  as: 'your name',
};

/** Opens the input in an editor. A field of the same name takes precedence. */
export const formFlag = '--edit';

/** Returns the command line of a tool, for example `lumenflow wu claim`. */
export function commandOf(tool: string): string {
  return `lumenflow ${tool.replace(':', ' ')}`;
}

export function toolHelp({name, description, input_schema}: ToolDeclaration, style: Style): string {
  const flags = flagsOf(input_schema);
  const known = namesOf(flags);
  const required = flags.filter((flag) => flag.required).map((flag) => ` ${written(flag)}`);
  const options = callOptions.map((option): [string, string] => [
    `  --${optionName(option, known)}`,
    saysOfOption[option],
  ]);
  if (!known.has(formFlag.slice(2)))
    options.push([`  ${formFlag}`, 'write the input in your editor (VISUAL or EDITOR)']);
  return [
    wrapText(`${style.dim('Usage:')} ${commandOf(name)}${required.join('')} [flags]`, style.width),
    '',
    wrapText(cleanText(description), style.width),
    ...(flags.length === 0
      ? []
      : ['', style.dim('Flags:'), renderFields(rowsOf(flags, known), style).replaceAll(/ +$/gmu, '')]),
    '',
    style.dim('Call options:'),
    renderFields(options, style),
  ].join('\n');
}

/** Returns one line per command of a domain. */
export function domainHelp(domain: string, tools: readonly ToolDeclaration[], style: Style): string {
  const rows = tools.map(({name, description}): [string, string] => [
    `  ${name.split(':')[1] ?? name}`,
    firstSentence(cleanLine(description)),
  ]);
  const usage = `${style.dim('Usage:')} lumenflow ${domain} <command> [flags]`;
  const more = style.dim(`details: lumenflow ${domain} <command> --help`);
  return [usage, '', style.dim('Commands:'), renderFields(rows, style), '', more].join('\n');
}

function rowsOf(flags: readonly ToolFlag[], known: ReadonlyMap<string, ToolFlag>): [string, string][] {
  return flags.map((flag) => {
    const short = flag.name.split('.').at(-1) ?? '';
    return rowOf(flag, short !== flag.name && known.get(short) === flag ? short : undefined);
  });
}

/** `short`: another name of the flag. */
function rowOf(flag: ToolFlag, short: string | undefined): [string, string] {
  const {required, repeats, kind, name, description, choices} = flag;
  const listed = choices && !isShort(choices) ? `one of ${choices.map(String).join(', ')}` : '';
  const notes = [
    short !== undefined && `or --${short}`,
    required && 'required',
    repeats && 'can be repeated',
    kind === 'boolean' && `or --no-${name}`,
  ];
  const note = notes.filter((text) => text !== false).join(', ');
  const says = [cleanLine(description), cleanLine(listed), note && `(${note})`];
  return [`  ${written(flag)}`, says.filter((text) => text !== '').join(' ')];
}

/** A longer list leaves no room for the description. */
function isShort(choices: readonly unknown[]): boolean {
  return choices.map(String).join('|').length <= 20;
}

function written({name, kind, choices}: ToolFlag): string {
  if (choices) return `--${name} <${isShort(choices) ? choices.map(String).join('|') : 'value'}>`;
  return kind === 'boolean' ? `--${name}` : `--${name} <${kind === 'any' ? 'value' : kind}>`;
}
