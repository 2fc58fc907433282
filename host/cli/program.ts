// The commands for commander. Each command loads its code when it runs, so that help stays fast.
import {Command as Commander, type CommanderError, type OutputConfiguration} from 'commander';
import {version} from '../version.ts';
import type {Bind} from './bind.ts';
import {CliError} from './failures/cli-error.ts';
import {createContext, type GlobalOptions} from './terminal/create-context.ts';
import {exitCode, usageExitCodeOf} from './failures/exit-code.ts';
import {failureFromError} from './failures/failure-from-error.ts';
import {addAgentCommands} from './groups/agent-commands.ts';
import {addApprovalCommands} from './groups/approval-commands.ts';
import {addChangesCommands} from './groups/changes-commands.ts';
import {addCodeCommands} from './groups/code-commands.ts';
import {addEvidenceCommands} from './groups/evidence-commands.ts';
import {addPackCommands} from './groups/pack-commands.ts';
import {addPeopleCommands} from './groups/people-commands.ts';
import {addPolicyCommands} from './groups/policy-commands.ts';
import {addProgramCommands} from './groups/program-commands.ts';
import {addShellCommands} from './groups/shell-commands.ts';
import {addEngineCommands} from './groups/engine-commands.ts';
import {addStateCommands} from './groups/state-commands.ts';
import {addTaskCommands} from './groups/task-commands.ts';
import {addToolCommands} from './groups/tool-commands.ts';
import {addWorkspaceCommands} from './groups/workspace-commands.ts';
import {readToolWords, type BuiltIns, type ToolWords} from './tool-commands/tool-words.ts';
import {hasWorkspace} from './lookup/find-workspace.ts';
import {printFailure} from './terminal/print-outcome.ts';
import {runCommand} from './run-command.ts';
import {addServerCommands} from './groups/server-commands.ts';
import {addRunWorkerCommands} from './groups/run-worker-commands.ts';
import {addWorkersCommands} from './groups/workers-commands.ts';
import type {Terminal} from './terminal/terminal.ts';

const closing = `
Exit codes:
  0    success
  1    the operation failed or was denied
  2    the command line or the workspace is invalid
  3    the operation needs approval
  130  stopped by Ctrl-C
\`lumenflow evidence verify --help\` lists the codes of that command.

Environment:
  LUMENFLOW_ACTOR    your name, unless --as is given
  LUMENFLOW_SESSION  the session of your calls, unless --session is given
  NO_COLOR           turns colors off

Every tool is also a command: \`lumenflow wu claim\` calls \`wu:claim\`,
and \`lumenflow wu\` lists the tools of \`wu\`. A tool that shares its name
with a built-in command needs its full name: \`lumenflow evidence:list\`.

Start with: lumenflow init`;

/** Runs the program with the arguments after its name. Returns the exit code. */
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let code: number = exitCode.ok;
  const program = createProgram(terminal, args.includes('--json'), (load) => async (...given) => {
    const command = given.at(-1) as Commander;
    const options: GlobalOptions = command.optsWithGlobals();
    const context = createContext(terminal, options);
    code = await runCommand(terminal, context, {load, args: command.args, options: options as never});
  });
  const builtIns = builtInsOf(program);
  const words = readToolWords(args, builtIns);
  if (words && mayBeTool(terminal, words)) {
    const context = createContext(terminal, words.globals);
    const load = async () => (await import('./tool-commands/tool-as-command.ts')).toolAsCommand(words, builtIns);
    return await runCommand(terminal, context, {load, args: [], options: {}});
  }
  try {
    await program.parseAsync(args.length === 0 ? ['--help'] : [...args], {from: 'user'});
    return code;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return await reportUsage(terminal, args, error);
  }
}

function builtInsOf(program: Commander): BuiltIns {
  const own = program.commands.map(
    (command) => [command.name(), new Set(command.commands.map((child) => child.name()))] as const,
  );
  return new Map([...own, ['help', new Set<string>()]]);
}

/** Only a workspace has tools. Without one, a word is a command or a mistake. */
function mayBeTool({cwd}: Terminal, {globals: {workspace}}: ToolWords): boolean {
  return workspace !== undefined || hasWorkspace(cwd);
}

/** An error of commander, which can only throw, with the command that it concerns. */
class UsageError extends Error {
  readonly found: CommanderError;
  readonly path: string;

  constructor(found: CommanderError, path: string) {
    super(found.message);
    this.found = found;
    this.path = path;
  }
}

async function reportUsage(terminal: Terminal, args: readonly string[], {found, path}: UsageError): Promise<number> {
  if (found.exitCode === 0) return exitCode.ok;
  const json = args.includes('--json');
  // Commander has printed the help of a group that was called without a command. People need no further message.
  if (found.code === 'commander.help' && !json) return exitCode.usage;
  const context = createContext(terminal, {json, color: args.includes('--no-color') ? false : undefined});
  const reported = failureFromError(usageFailure(found, path));
  printFailure(terminal, context, reported);
  if (path === 'lumenflow mcp' && !process.stdin.isTTY) {
    await (await import('./commands/mcp-misused.ts')).mcpMisused(context, reported.failure);
  }
  return reported.exitCode;
}

const choiceRefused =
  /^option '(?:-\w, )?(?<flag>--[\w-]+) .*' argument '(?<value>.*)' is invalid\. Allowed choices are (?<choices>.*)\.$/u;

/** `error: unknown command 'tols'\n(Did you mean tools?)` as message and fix. */
function usageFailure({code, message}: CommanderError, path: string): CliError {
  const [first = '', suggestion = ''] = message.replace(/^error: /u, '').split('\n');
  const meant = /^\(Did you mean (?:one of )?(.*)\?\)$/u.exec(suggestion)?.[1];
  const refused = choiceRefused.exec(first)?.groups;
  if (refused !== undefined) {
    return new CliError('INVALID_ARGUMENT', `\`${refused['value']}\` is not a valid value of ${refused['flag']}`, {
      help: `choose one of ${refused['choices']}`,
      exitCode: usageExitCodeOf(path),
    });
  }
  const reported = code === 'commander.help' ? `\`${path}\` needs a command` : first.replaceAll("'", '`');
  return new CliError('USAGE', reported, {
    help: meant === undefined ? `see \`${path} --help\`` : `did you mean \`${meant}\`?`,
    exitCode: usageExitCodeOf(path),
  });
}

function createProgram(terminal: Terminal, json: boolean, bind: Bind): Commander {
  const program = new Commander('lumenflow')
    .description('A governed tool runtime for AI agents: every call is scoped, checked against policy and recorded.')
    .version(json ? JSON.stringify({ok: true, version}, null, 2) : version, '-V, --version', 'print the version')
    .option('-w, --workspace <dir>', 'folder of the workspace (default: the nearest with workspace.yaml)')
    .option('--json', 'print one JSON document')
    .option('--no-color', 'turn colors off')
    .helpCommand('help [command]', 'show help for a command')
    .helpOption('-h, --help', 'show help')
    .addHelpText('after', closing);
  addWorkspaceCommands(program, bind);
  addToolCommands(program, bind);
  addProgramCommands(program, bind);
  addPolicyCommands(program, bind);
  addTaskCommands(program, bind);
  addApprovalCommands(program, bind);
  addChangesCommands(program, bind);
  addCodeCommands(program, bind);
  addEvidenceCommands(program, bind);
  addPackCommands(program, bind);
  addAgentCommands(program, bind);
  addServerCommands(program, bind);
  addPeopleCommands(program, bind);
  addRunWorkerCommands(program, bind);
  addWorkersCommands(program, bind);
  addShellCommands(program, bind);
  addStateCommands(program, bind);
  addEngineCommands(program, bind);
  configure(program, outputOf(terminal));
  return program;
}

/** Sets what commander keeps for each command. */
function configure(command: Commander, output: OutputConfiguration, path = 'lumenflow'): void {
  const reported = (found: CommanderError): never => {
    throw new UsageError(found, path);
  };
  command
    .exitOverride(reported)
    .configureOutput(output)
    .configureHelp({showGlobalOptions: true, sortSubcommands: false});
  for (const child of command.commands) {
    child.helpOption('-h, --help', 'show help');
    configure(child, output, `${path} ${child.name()}`);
  }
}

/** Commander prints only help: `printUsage` prints errors, also with --json. */
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
