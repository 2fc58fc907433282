// Commands about tools.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const inputHelp = `
Input:
  key=value       a field, converted to the type in the tool's schema
  key:=JSON       a field as JSON
  --input JSON    the whole input as JSON; @file reads a file, - reads stdin

Examples:
  lumenflow tools call file:read path=README.md
  lumenflow tools call file:write path=src/a.txt content='hello' --json
  echo '{"path": "."}' | lumenflow tools call file:list --input -`;

export function addToolCommands(program: Commander, bind: Bind): void {
  const tools = program.command('tools').description('list, show and call tools');
  tools
    .command('list')
    .description('list the tools of the workspace with the policy decision for each')
    .option('--lane <lane>', 'evaluate in this lane (default: the first lane)')
    .option('--task <task>', 'evaluate in this active task')
    .option('--all', 'include tools that are denied, internal or not offered to agents')
    .action(bind(async () => (await import('../commands/tools-list.ts')).toolsList));
  tools
    .command('show')
    .argument('<tool>', 'for example file:read')
    .description('show the input, output and scopes of a tool')
    .action(bind(async () => (await import('../commands/tools-show.ts')).toolsShow));
  tools
    .command('call')
    .argument('<tool>', 'for example file:read')
    .argument('[input...]', 'key=value')
    .description('call a tool; the call is governed and recorded')
    .option('-i, --input <json>', 'the input as JSON, @file or - for stdin')
    .option('--lane <lane>', "lane of the call's own task (default: the first lane)")
    .option('--task <task>', 'call in this active task')
    .option('--session <session>', 'continue in the task of this session (default: LUMENFLOW_SESSION)')
    .option('--as <name>', 'your name')
    .option('--dry-run', 'show what the call would change without applying it')
    .addHelpText('after', inputHelp)
    .action(bind(async () => (await import('../commands/tools-call.ts')).toolsCall));
  program
    .command('search')
    .argument('<words...>', 'what the tool does')
    .description('find tools by what they do, best match first')
    .option('--lane <lane>', 'evaluate in this lane (default: the first lane)')
    .option('--task <task>', 'evaluate in this active task')
    .option('--namespace <namespace>', 'only tools of this namespace, for example `git`')
    .addOption(
      new Option('--permission <permission>', 'only tools with this permission').choices(['read', 'write', 'admin']),
    )
    .option('--limit <tools>', 'maximum number of tools', '10')
    .action(bind(async () => (await import('../commands/search.ts')).search));
}
