// `lumenflow wu claim --id WU-12`: calls a tool as a command, with flags from its input schema.
import {nearestName, type RegisteredTool} from '@lumenflow/kernel';
import type {RenamedTool, ToolDeclaration} from '@lumenflow/schemas';
import type {Host} from '../../compose.ts';
import {readCallInput} from '../call-commands/call-input.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command, Outcome} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {runCallCommand} from '../call-commands/run-call-command.ts';
import {actingPerson} from '../sign-in/acting-person.ts';
import {withHost} from '../with-host.ts';
import {callByForm} from './call-by-form.ts';
import type {BuiltIns, ToolWords} from './tool-words.ts';
import {callable, declaredTools} from './declared-tools.ts';
import {parseFlags, type Mistake} from './parse-flags.ts';
import {commandOf, domainHelp, formFlag, toolHelp} from './tool-help.ts';
import {flagName, flagsOf} from './tool-flags.ts';

export function toolAsCommand(words: ToolWords, builtIns: BuiltIns): Command {
  return async (context) => {
    if (words.wantsHelp) return helpOutcome(context, words, {tools: await declaredTools(context), builtIns});
    return await withHost(context, async (host) => {
      const {tools} = host.runtime.workspace;
      const declared = callable([...tools.values()].map(({declaration}) => declaration));
      const found = findTool(words, declared);
      const tool = tools.get(found?.tool.name ?? '');
      mustNotBeRenamed(words, host.runtime.workspace.renamed);
      if (!found || !tool) return helpOutcome(context, words, {tools: declared, builtIns});
      return await callAsCommand(context, host, {tool, args: found.args});
    });
  };
}

async function callAsCommand(
  context: CliContext,
  host: Host,
  {tool, args}: {readonly tool: RegisteredTool; readonly args: readonly string[]},
): Promise<Outcome> {
  const schema = tool.declaration.input_schema;
  const flags = flagsOf(schema);
  const wantsForm = args.includes(formFlag) && !flags.some(({name}) => `--${name}` === formFlag);
  const words = wantsForm ? args.filter((word) => word !== formFlag) : args;
  const {input: given, fields, options, mistakes} = parseFlags(words, flags, commandOf(tool.name));
  const {input: source, as, ...place} = options;
  const input = merged(await readCallInput(context, {input: source, fields, schema}), given);
  const call = async (complete: unknown): Promise<Outcome> => {
    const written = {...place, input: JSON.stringify(complete), fields: []};
    const acting = await actingPerson(context, host, as);
    return await runCallCommand(context, host, {tool: tool.name, input: complete, ...acting, written});
  };
  // Called without anything on a terminal, a tool that needs input gets it from the editor.
  const isBare = args.length === 0 && context.isInteractive && tool.validateInput(input).length > 0;
  if (mistakes.length === 0 && (wantsForm || isBare)) {
    return await callByForm(context, {tool, given: isRecord(input) ? input : {}, call});
  }
  checkInput(tool, input, mistakes);
  return await call(input);
}

/** Throws CliError USAGE for a former name, with the command that replaces it. */
function mustNotBeRenamed({candidates}: ToolWords, renamed: ReadonlyMap<string, RenamedTool>): void {
  for (const {tool: former} of candidates) {
    const now = renamed.get(former);
    if (now === undefined) continue;
    const flags = Object.entries(now.input ?? {}).map(([key, value]) => flagText(key, value));
    const command = ['lumenflow', ...now.tool.split(':'), ...flags].join(' ');
    const message = `\`${former.replace(':', ' ')}\` is now \`${now.tool.replace(':', ' ')}\``;
    throw new CliError('USAGE', message, {help: `run \`${command}\``, exitCode: exitCode.usage});
  }
}

function flagText(key: string, value: unknown): string {
  const name = `--${flagName([key])}`;
  return value === true ? name : `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`;
}

function findTool(
  {candidates, args}: ToolWords,
  tools: readonly ToolDeclaration[],
): {readonly tool: ToolDeclaration; readonly args: readonly string[]} | undefined {
  for (const candidate of candidates) {
    const tool = tools.find(({name}) => name === candidate.tool);
    if (tool) return {tool, args: args.slice(candidate.words)};
  }
  return undefined;
}

interface Known {
  readonly tools: readonly ToolDeclaration[];
  readonly builtIns: BuiltIns;
}

/** Shows help for a tool, or for a domain without a verb. Any other name is an error. */
function helpOutcome(context: CliContext, words: ToolWords, {tools, builtIns}: Known): Outcome {
  const {domain, args} = words;
  const found = findTool(words, tools);
  if (found) return shown(found.tool.name, () => toolHelp(found.tool, context.style));
  const own = tools.filter(({name}) => name.startsWith(`${domain}:`));
  const [, verb] = args;
  if (own.length > 0 && (verb === undefined || verb.startsWith('-'))) {
    return shown(domain, () => domainHelp(domain, own, context.style));
  }
  const group = [...(builtIns.get(domain) ?? []), ...own.map(({name}) => name.slice(domain.length + 1))];
  if (group.length > 0 && verb !== undefined) throw unknownCommand(verb, group, `lumenflow ${domain}`);
  const domains = tools.map(({name}) => name.split(':')[0] ?? name);
  throw unknownCommand(domain, [...builtIns.keys(), ...domains, ...tools.map(({name}) => name)], 'lumenflow');
}

function unknownCommand(name: string, names: readonly string[], path: string): CliError {
  const near = nearestName(name, names);
  return new CliError('USAGE', `unknown command \`${name}\``, {
    help: near === undefined ? `see \`${path} --help\`` : `did you mean \`${near}\`?`,
    exitCode: exitCode.usage,
  });
}

function shown(of: string, text: () => string): Outcome {
  return {data: {help: of, text: text()}, text};
}

/** Flags override the fields of `--input`. */
function merged(whole: unknown, given: Readonly<Record<string, unknown>>): unknown {
  if (Object.keys(given).length === 0) return whole;
  if (!isRecord(whole)) {
    throw new CliError('USAGE', '`--input` is not a JSON object, so flags cannot be added to it', {
      exitCode: exitCode.usage,
    });
  }
  const entries = Object.entries(given).map(([key, value]) => {
    const before = whole[key];
    return [key, isRecord(value) && isRecord(before) ? merged(before, value) : value] as const;
  });
  return {...whole, ...Object.fromEntries(entries)};
}

/** Validates the input like the kernel, with errors that name the flags. Throws CliError USAGE with all mistakes. */
function checkInput(tool: RegisteredTool, input: unknown, mistakes: readonly Mistake[]): void {
  const issues = tool.validateInput(input).flatMap(({pointer, message}) => {
    const path = pointer
      .split('/')
      .slice(1)
      .filter((part) => !/^\d+$/u.test(part));
    const missing = /^`([^`]+)` is missing/u.exec(message)?.[1];
    const name = flagName(missing === undefined ? path : [...path, missing]);
    if (mistakes.some(({flag}) => flag === name)) return [];
    if (missing !== undefined) return [`\`--${name}\` is missing`];
    return [path.length === 0 ? message : `\`--${name}\` ${message.replace(/^`[^`]*` /u, '')}`];
  });
  const [only] = mistakes;
  if (only === undefined && issues.length === 0) return;
  if (only !== undefined && mistakes.length === 1 && issues.length === 0) throw only.error;
  const texts = mistakes.map(({error: {message, options}}) =>
    options.help === undefined ? message : `${message} (${options.help})`,
  );
  throw new CliError('USAGE', [...texts, ...issues].join('; '), {
    help: `see \`${commandOf(tool.name)} --help\``,
    exitCode: exitCode.usage,
  });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
