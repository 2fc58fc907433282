// Commands about code that calls tools.
import {Option, type Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addCodeCommands(program: Commander, bind: Bind): void {
  const code = program.command('code').description('run code that calls tools');
  code
    .command('run')
    .argument('<file>', 'the code, or - for stdin')
    .description('run a file of code; the run and each call that it makes are governed and recorded')
    .addOption(
      new Option('--language <language>', 'default: by the name of the file').choices([
        'javascript',
        'typescript',
        'python',
        'shell',
      ]),
    )
    .option(
      '--allow <tool>',
      "a tool that it can call, for example 'file:*'; repeat it for more (default: all tools)",
      (tool: string, others: readonly string[] | undefined) => [...(others ?? []), tool],
    )
    .addOption(
      new Option(
        '--runs-in <place>',
        'default: quickjs for JavaScript and TypeScript, sandbox for other languages',
      ).choices(['quickjs', 'sandbox']),
    )
    .option('--timeout <ms>', 'milliseconds that it may take (default: 60,000)')
    .option('--lane <lane>', "lane of the run's own task (default: the first lane)")
    .option('--task <task>', 'run in this active task')
    .option('--session <session>', 'continue in the task of this session (default: LUMENFLOW_SESSION)')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/code-run.ts')).codeRun));
  code
    .command('types')
    .description('print TypeScript types of the tools that code can call')
    .option('--lane <lane>', 'evaluate in this lane (default: the first lane)')
    .option('--task <task>', 'evaluate in this active task')
    .action(bind(async () => (await import('../commands/code-types.ts')).codeTypes));
}
