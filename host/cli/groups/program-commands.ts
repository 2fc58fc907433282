// Commands for programs.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

const inputHelp = `
Inputs:
  key=value     an input, converted to the type in its schema
  key:=JSON     an input as JSON
  --input JSON  all inputs as JSON; @file reads a file, - reads stdin

Example:
  lumenflow program run release-notes.yaml from=v1.0.0 to=HEAD`;

export function addProgramCommands(program: Commander, bind: Bind): void {
  const group = program.command('program').description('check, run and resume programs of calls');
  group
    .command('check')
    .argument('<file>', 'the program, as YAML or JSON')
    .description('check a program without running it, and preview what its calls could do')
    .option('--lane <lane>', 'evaluate in this lane (default: the first lane)')
    .action(bind(async () => (await import('../commands/program-check.ts')).programCheck));
  group
    .command('run')
    .argument('<file>', 'the program, as YAML or JSON')
    .argument('[input...]', 'key=value')
    .description('run a program until it ends or waits for a person')
    .option('-i, --input <json>', 'all inputs as JSON, @file or - for stdin')
    .option('--lane <lane>', "lane of the run's task (default: the first lane)")
    .option('--approved-as-whole', 'a person approves the whole program before its first call')
    .option('--as <name>', 'your name')
    .addHelpText('after', inputHelp)
    .action(bind(async () => (await import('../commands/program-run.ts')).programRun));
  group
    .command('resume')
    .argument('<run>', 'as `lumenflow program list` prints it')
    .description('continue a run after its last completed step')
    .option('--as <name>', 'your name')
    .action(bind(async () => (await import('../commands/program-resume.ts')).programResume));
  group
    .command('show')
    .argument('<run>')
    .description('show a run with the state of each step')
    .action(bind(async () => (await import('../commands/program-show.ts')).programShow));
  group
    .command('graph')
    .argument('<program>', 'a file or a run')
    .description('draw the steps of a program; for a run, also their states')
    .action(bind(async () => (await import('../commands/program-graph.ts')).programGraph));
  group
    .command('list')
    .description('list the runs of programs, newest first')
    .action(bind(async () => (await import('../commands/program-list.ts')).programList));
}
