// Runs existing command modules and scripts inside this process, each as if it had its own process. It replaces parts of the process
// while it does, so use it in a sandbox, never on a shared thread.
import {isMainThread} from 'node:worker_threads';
import {ToolError} from '@lumenflow/pack-sdk';
import type {CliResult, CliRunOptions} from './run/cli-result.ts';
import type {CliRun} from './run/cli-run.ts';
import {findCommand, type CliCommand, type CommandPlace} from './find-command.ts';
import {processRuns} from './process-runs.ts';
import {runToEnd} from './run-to-end.ts';

const timeoutMsDefault = 60_000;
const outputBytesMaxDefault = 1024 * 1024;
/** As `timeout(1)` answers. */
const timeoutStatus = 124;
/** As a shell answers for a command that it does not find. */
const notFoundStatus = 127;
/** As a shell reports SIGINT. */
const cancelledStatus = 130;

export interface RuntimeCliAdapterOptions {
  /** Absolute; default the working folder. */
  readonly workspaceRoot?: string;
  /** Where command modules are, relative to the workspace; default `packages/@lumenflow/cli/src/`. */
  readonly root?: string | undefined;
  /** Commands by their names; what is not among them is a module by its path. */
  readonly commands?: Readonly<Record<string, CliCommand>>;
}

export interface RuntimeCliAdapter {
  /**
   * Runs a command with `args`, after all others of this process; called by a command, within that command's own run.
   * What goes wrong with the command is in the result. Throws ToolError CLI_NEEDS_SANDBOX on a pool thread.
   */
  run(command: string, args?: readonly string[], options?: CliRunOptions): Promise<CliResult>;
}

export function createRuntimeCliAdapter(given: RuntimeCliAdapterOptions = {}): RuntimeCliAdapter {
  const {root = 'packages/@lumenflow/cli/src/', commands = {}} = given;
  return {
    async run(command, args = [], options = {}) {
      if (!isMainThread) {
        throw new ToolError(
          'CLI_NEEDS_SANDBOX',
          `\`${command}\` cannot be run on a pool thread: declare the tool with \`handler: subprocess\``,
        );
      }
      if (processRuns.current()?.isOver === true) return refused('the run that asks for it is over');
      const workspaceRoot = given.workspaceRoot ?? process.cwd();
      const entry = Object.hasOwn(commands, command) ? (commands[command] ?? {}) : {};
      const place = findCommand(command, entry, {workspaceRoot, root});
      if (typeof place === 'string') return refused(place);
      return processRuns.runExclusive(() => runCommand(command, place, args, options));
    },
  };
}

/** On the working folder, with modules in `packages/@lumenflow/cli/src/`. */
export const runtimeCliAdapter: RuntimeCliAdapter = createRuntimeCliAdapter();

async function runCommand(
  command: string,
  place: CommandPlace,
  args: readonly string[],
  options: CliRunOptions,
): Promise<CliResult> {
  const words = {
    // A script finds its own path where Node would put it, a module the name it was called by.
    argv: [process.execPath, place.kind === 'script' ? place.path : command, ...args],
    stdin: options.stdin ?? '',
    outputBytesMax: options.max_output_bytes ?? outputBytesMaxDefault,
  };
  const run = await processRuns.run(words, async (run, inside) => {
    const release = endInTime(run, options);
    await runToEnd(run, {place, scripts: processRuns.scripts}, inside).finally(release);
  });
  return run.result();
}

function endInTime(run: CliRun, {timeout_ms = timeoutMsDefault, signal}: CliRunOptions): () => void {
  const timer = setTimeout(
    () => run.stop(timeoutStatus, `the command did not end within ${timeout_ms} ms`),
    timeout_ms,
  );
  const cancel = (): void => run.stop(cancelledStatus, 'the command was cancelled');
  signal?.addEventListener('abort', cancel, {once: true});
  if (signal?.aborted === true) cancel();
  return () => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  };
}

function refused(reason: string): CliResult {
  return {ok: false, status: notFoundStatus, stdout: '', stderr: '', execution_error: reason};
}
