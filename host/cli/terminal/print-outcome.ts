// Prints a command's outcome. Nothing else writes to stdout.
import type {CliContext, Outcome} from '../command.ts';
import {exitCode, exitCodeOf} from '../failures/exit-code.ts';
import type {ReportedFailure} from '../failures/failure-from-error.ts';
import {jsonDocument} from '../rendering/json-document.ts';
import {renderFailure} from '../rendering/render-failure.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import type {Terminal} from './terminal.ts';

/** Returns the exit code. */
export function printOutcome({stdout, stderr}: Terminal, json: boolean, outcome: Outcome): number {
  const {data, failure} = outcome;
  if (json) stdout.write(`${jsonDocument(data, failure, outcome.layout)}\n`);
  else {
    const text = outcome.text?.() ?? '';
    const note = outcome.note?.() ?? '';
    if (text !== '') stdout.write(`${text}\n`);
    if (note !== '') stderr.write(`${note}\n`);
  }
  return outcome.exitCode ?? (failure ? exitCodeOf(failure.code) : exitCode.ok);
}

/** Prints the failure of a command as text on stderr, or as the JSON document. */
export function printFailure(
  {stdout, stderr, env}: Terminal,
  {json, errorStyle}: CliContext,
  reported: ReportedFailure,
): void {
  const {failure, problems, help} = reported;
  if (json) {
    stdout.write(`${jsonDocument({}, failure)}\n`);
    return;
  }
  stderr.write(`${renderFailure(failure, help === undefined ? {} : {help}, errorStyle)}\n`);
  if (problems.length > 0) stderr.write(`\n${renderProblems(problems, errorStyle)}\n`);
  const stack = failure.details?.['stack'];
  if (typeof stack === 'string' && (env['LUMENFLOW_DEBUG'] ?? '') !== '') stderr.write(`${stack}\n`);
}
