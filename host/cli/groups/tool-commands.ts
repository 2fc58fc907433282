// Commands about tools.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const inputHelp = `
Input:
  key=value       a field, of the type that the tool declares for it
  key:=JSON       a field given as JSON
  --input JSON    all of it as JSON; @file reads a file, - reads stdin

Examples:
  lumenflow tools call file:read path=README.md
  lumenflow tools call file:write path=src/a.txt content='hello' --json
  echo '{"path": "."}' | lumenflow tools call file:list --input -`;

export function addToolCommands(program: Commander, bind: Bind): void {
  const tools = program.command('tools').description('see and call tools');
  tools
    .command('list')
    .description('the tools of the workspace, and what would be decided about each')
    .option('--lane <lane>', 'as seen from this lane (default: the first)')
    .option('--task <task>', 'as seen from this active task')
    .option('--all', 'also those that are denied or internal')
    .action(bind(async () => (await import('../commands/tools-list.ts')).toolsList));
  tools
    .command('show')
    .argument('<tool>', 'for example file:read')
    .description('what a tool takes, gives and may touch')
    .action(bind(async () => (await import('../commands/tools-show.ts')).toolsShow));
  tools
    .command('call')
    .argument('<tool>', 'for example file:read')
    .argument('[input...]', 'key=value')
    .description('call a tool, governed and recorded like any other call')
    .option('-i, --input <json>', 'the input as JSON, @file or - for stdin')
    .option('--lane <lane>', 'the lane of the task made for the call (default: the first)')
    .option('--task <task>', 'call within this active task instead')
    .option('--session <session>', 'go on in what this session holds (default: LUMENFLOW_SESSION)')
    .option('--as <name>', 'who calls')
    .option('--dry-run', 'show what the call would change, and apply nothing')
    .addHelpText('after', inputHelp)
    .action(bind(async () => (await import('../commands/tools-call.ts')).toolsCall));
}
