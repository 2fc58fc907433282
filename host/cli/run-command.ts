// Runs one command to its exit code.
import type {CliContext, Command} from './command.ts';
import {exitCode} from './failures/exit-code.ts';
import {failureFromError, interrupted} from './failures/failure-from-error.ts';
import {printFailure, printOutcome} from './terminal/print-outcome.ts';
import type {Terminal} from './terminal/terminal.ts';

export interface CommandRun<Options extends object> {
  readonly load: () => Promise<Command<Options>>;
  readonly args: readonly string[];
  readonly options: Options;
}

/** Returns the exit code. Never rejects. */
export async function runCommand<Options extends object>(
  terminal: Terminal,
  context: CliContext,
  {load, args, options}: CommandRun<Options>,
): Promise<number> {
  try {
    const command = await load();
    const outcome = await command(context, args, options);
    if (outcome === undefined) return exitCode.ok;
    const code = printOutcome(terminal, context.json, outcome);
    return terminal.signal.aborted ? exitCode.interrupted : code;
  } catch (error) {
    // Ctrl-C also ends programs in the terminal's process group. Their failures are not failures of the command.
    const reported = terminal.signal.aborted ? interrupted(error) : failureFromError(error);
    printFailure(terminal, context, reported);
    return reported.exitCode;
  }
}
