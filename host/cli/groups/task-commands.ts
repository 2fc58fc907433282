// Commands about tasks: from their creation to their end.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addTaskCommands(program: Commander, bind: Bind): void {
  program
    .command('board')
    .description('the units of work by lane')
    .option('--lane <lane>', 'of this lane only')
    .option('--all', 'all that are ready, not the oldest five')
    .option('--watch', 'show it anew whenever it changes')
    .action(bind(async () => (await import('../commands/board.ts')).board));
  const task = program.command('task').description('units of work in a lane');
  task
    .command('create')
    .argument('<id>', 'letters, digits, `.`, `_` and `-`')
    .description('make a task')
    .option('--lane <lane>', 'its lane (default: the first)')
    .option('--title <title>', 'what it is')
    .option('--description <text>', 'more about it')
    .option('--type <type>', 'a task type of a pack')
    .option('--read <pattern...>', 'narrow what it may read')
    .option('--write <pattern...>', 'narrow what it may write')
    .option('--blocked-by <task...>', 'tasks that must be done first')
    .option('--file <file>', 'the whole spec as YAML or JSON; - for stdin')
    .option('--as <name>', 'who acts')
    .action(bind(async () => (await import('../commands/task-create.ts')).taskCreate));
  task
    .command('list')
    .description('the tasks of the workspace')
    .option('--lane <lane>', 'of this lane only')
    .option('--state <state>', 'ready, active, blocked or done')
    .action(bind(async () => (await import('../commands/task-list.ts')).taskList));
  task
    .command('show')
    .argument('<task>')
    .description('a task, its history and its calls')
    .action(bind(async () => (await import('../commands/task-show.ts')).taskShow));
  addTransitions(task, bind);
}

function addTransitions(task: Commander, bind: Bind): void {
  task
    .command('claim')
    .argument('<task>')
    .description('take a ready task: from then on tools can be called in it')
    .option('--as <name>', 'who claims')
    .option('--session <id>', 'the session that holds it (default: cli-NAME)')
    .action(bind(async () => (await import('../commands/task-claim.ts')).taskClaim));
  task
    .command('block')
    .argument('<task>')
    .requiredOption('--reason <text>', 'what it waits for')
    .description('mark an active task as waiting')
    .option('--as <name>', 'who acts')
    .action(bind(async () => (await import('../commands/task-block.ts')).taskBlock));
  task
    .command('unblock')
    .argument('<task>')
    .description('go on with a blocked task')
    .option('--as <name>', 'who acts')
    .action(bind(async () => (await import('../commands/task-unblock.ts')).taskUnblock));
  task
    .command('complete')
    .argument('<task>')
    .description('say that a task is done, as far as policy agrees')
    .option('--evidence <receipt...>', 'receipts that show it')
    .option('--as <name>', 'who acts')
    .action(bind(async () => (await import('../commands/task-complete.ts')).taskComplete));
  task
    .command('release')
    .argument('<task>')
    .description('give a task back')
    .option('--reason <text>', 'why', 'given back')
    .option('--as <name>', 'who acts')
    .action(bind(async () => (await import('../commands/task-release.ts')).taskRelease));
}
