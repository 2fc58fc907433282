// The commands as commander knows them. What a command needs is loaded when it runs, so that help is quick.
import {Command as Commander, type CommanderError, type OutputConfiguration} from 'commander';
import {version} from '../version.ts';
import type {Bind} from './bind.ts';
import {CliError} from './cli-error.ts';
import {createContext, type GlobalOptions} from './create-context.ts';
import {exitCode, usageExitCodeOf} from './exit-code.ts';
import {failureOf} from './failure-of.ts';
import {addAgentCommands} from './groups/agent-commands.ts';
import {addApprovalCommands} from './groups/approval-commands.ts';
import {addChangesCommands} from './groups/changes-commands.ts';
import {addEvidenceCommands} from './groups/evidence-commands.ts';
import {addPackCommands} from './groups/pack-commands.ts';
import {addPolicyCommands} from './groups/policy-commands.ts';
import {addShellCommands} from './groups/shell-commands.ts';
import {addTaskCommands} from './groups/task-commands.ts';
import {addToolCommands} from './groups/tool-commands.ts';
import {addWorkspaceCommands} from './groups/workspace-commands.ts';
import {readToolWords, type BuiltIns, type ToolWords} from './tool-commands/command-words.ts';
import {hasWorkspace} from './find-workspace.ts';
import {printFailure} from './print-outcome.ts';
import {runCommand} from './run-command.ts';
import {addServerCommands} from './groups/server-commands.ts';
import type {Terminal} from './terminal.ts';

const closing = `
Exit codes:
  0    done
  1    the operation failed or was denied
  2    the command line or the workspace is wrong
  3    it waits for an approval
  130  ended by Ctrl-C
  (\`lumenflow evidence verify --help\` lists its own)

Environment:
  LUMENFLOW_ACTOR    who acts, when --as does not say
  LUMENFLOW_SESSION  the session that calls go on in, without --session
  NO_COLOR           no colours

Tools are commands, too: \`lumenflow wu claim\` calls \`wu:claim\`, and
\`lumenflow wu\` lists what there is. What a command of the program is
called like goes by its whole name: \`lumenflow evidence:list\`.

Start with: lumenflow init`;

/** Runs the program with the arguments after its name. Gives the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCode.ok;
  const program = createProgram(terminal, (load) => async (...given) => {
    const command = given.at(-1) as Commander;
    const options: GlobalOptions = command.optsWithGlobals();
    const context = createContext(terminal, options);
    code = await runCommand(terminal, context, {load, args: command.args, options: options as never});
  });
  const builtIns = builtInsOf(program);
  const words = readToolWords(args, builtIns);
  if (words && mayBeTool(terminal, words)) {
    const context = createContext(terminal, words.globals);
    const load = async () => (await import('./tool-commands/run-tool-command.ts')).toolCommand(words, builtIns);
    return await runCommand(terminal, context, {load, args: [], options: {}});
  }
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], {from: 'user'});
    return code;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return tellUsage(terminal, args, error);
  }
}

function builtInsOf(program: Commander): BuiltIns {
  const own = program.commands.map(
    (command) => [command.name(), new Set(command.commands.map((child) => child.name()))] as const,
  );
  return new Map([...own, ['help', new Set<string>()]]);
}

/** Tools are those of a workspace: where there is none to be found, a word is a command or a mistake. */
function mayBeTool({cwd}: Terminal, {globals: {workspace}}: ToolWords): boolean {
  return workspace !== undefined || hasWorkspace(cwd);
}

/** What commander found wrong, and with which command. */
class UsageError extends Error {
  readonly found: CommanderError;
  readonly path: string;

  constructor(found: CommanderError, path: string) {
    super(found.message);
    this.found = found;
    this.path = path;
  }
}

function tellUsage(terminal: Terminal, args: readonly string[], {found, path}: UsageError): number {
  if (found.exitCode === 0) return exitCode.ok;
  const json = args.includes('--json');
  // A group without a command: its help was printed, which says it all to people.
  if (found.code === 'commander.help' && !json) return exitCode.usage;
  const context = createContext(terminal, {json, ...(args.includes('--no-color') && {color: false})});
  const told = failureOf(usageFailure(found, path));
  printFailure(terminal, context, told);
  return told.exitCode;
}

/** `error: unknown command 'tols'\n(Did you mean tools?)` as message and fix. */
function usageFailure({code, message}: CommanderError, path: string): CliError {
  const [first = '', suggestion = ''] = message.replace(/^error: /u, '').split('\n');
  const meant = /^\(Did you mean (?:one of )?(.*)\?\)$/u.exec(suggestion)?.[1];
  const told = code === 'commander.help' ? `\`${path}\` needs a command` : first.replaceAll("'", '`');
  return new CliError('USAGE', told, {
    help: meant === undefined ? `see \`${path} --help\`` : `did you mean \`${meant}\`?`,
    exitCode: usageExitCodeOf(path),
  });
}

function createProgram(terminal: Terminal, bind: Bind): Commander {
  const program = new Commander('lumenflow')
    .description('A governed tool runtime for AI agents: every call is scoped, decided and recorded.')
    .version(version, '-V, --version', 'print the version')
    .option('-w, --workspace <dir>', 'the workspace (default: the nearest folder with workspace.yaml)')
    .option('--json', 'print one JSON document, for programs')
    .option('--no-color', 'no colours')
    .helpCommand('help [command]', 'show help for a command')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', closing);
  addWorkspaceCommands(program, bind);
  addToolCommands(program, bind);
  addPolicyCommands(program, bind);
  addTaskCommands(program, bind);
  addApprovalCommands(program, bind);
  addChangesCommands(program, bind);
  addEvidenceCommands(program, bind);
  addPackCommands(program, bind);
  addAgentCommands(program, bind);
  addServerCommands(program, bind);
  addShellCommands(program, bind);
  configure(program, outputOf(terminal));
  return program;
}

/** Settings that commander keeps for each command. */
function configure(command: Commander, output: OutputConfiguration, path = 'lumenflow'): void {
  const told = (found: CommanderError): never => {
    throw new UsageError(found, path);
  };
  command.exitOverride(told).configureOutput(output).configureHelp({showGlobalOptions: true, sortSubcommands: false});
  for (const child of command.commands) {
    child.helpOption('-h, --help', 'show help');
    configure(child, output, `${path} ${child.name()}`);
  }
}

/** Errors are told in our own way, with --json too, so commander writes only help. */
function outputOf({stdout, stderr}: Terminal): OutputConfiguration {
  const width = Math.min(100, stdout.columns ?? 80);
  return {
    writeOut: (text) => void stdout.write(text),
    writeErr: (text) => void stderr.write(text),
    outputError: () => undefined,
    getOutHelpWidth: () => width,
    getErrHelpWidth: () => width,
  };
}
