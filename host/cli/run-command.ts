// Runs one command and prints its outcome: the only place that writes to stdout and that knows exit codes.
import type {CliContext, Command, Outcome} from './command.ts';
import {exitCode, exitCodeOf} from './exit-code.ts';
import {failureOf, type ToldFailure} from './failure-of.ts';
import {jsonDocument} from './json-document.ts';
import {renderFailure} from './rendering/render-failure.ts';
import {renderProblems} from './rendering/render-problems.ts';
import type {Terminal} from './terminal.ts';

export interface CommandRun<Options extends object> {
  readonly load: () => Promise<Command<Options>>;
  readonly args: readonly string[];
  readonly options: Options;
}

/** Gives the exit code. Never rejects. */
export async function runCommand<Options extends object>(
  terminal: Terminal,
  context: CliContext,
  {load, args, options}: CommandRun<Options>,
): Promise<number> {
  try {
    const command = await load();
    const code = print(terminal, context, await command(context, args, options));
    return terminal.signal.aborted ? exitCode.interrupted : code;
  } catch (error) {
    const told = failureOf(error);
    printFailure(terminal, context, told);
    return terminal.signal.aborted ? exitCode.interrupted : told.exitCode;
  }
}

function print({stdout, stderr}: Terminal, {json}: CliContext, outcome: Outcome): number {
  const {data, failure} = outcome;
  if (json) stdout.write(`${jsonDocument(data, failure)}\n`);
  else {
    const text = outcome.text?.() ?? '';
    const note = outcome.note?.() ?? '';
    if (text !== '') stdout.write(`${text}\n`);
    if (note !== '') stderr.write(`${note}\n`);
  }
  return outcome.exitCode ?? (failure ? exitCodeOf(failure.code) : exitCode.ok);
}

/** A failure that ended the command, for people on stderr or as the JSON document. */
export function printFailure({stdout, stderr, env}: Terminal, {json, errorStyle}: CliContext, told: ToldFailure): void {
  const {failure, problems, help} = told;
  if (json) {
    stdout.write(`${jsonDocument({}, failure)}\n`);
    return;
  }
  stderr.write(`${renderFailure(failure, help === undefined ? {} : {help}, errorStyle)}\n`);
  if (problems.length > 0) stderr.write(`\n${renderProblems(problems, errorStyle)}\n`);
  const stack = failure.details?.['stack'];
  if (typeof stack === 'string' && (env['LUMENFLOW_DEBUG'] ?? '') !== '') stderr.write(`${stack}\n`);
}
