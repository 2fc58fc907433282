// Commands for people who sign in, and for admins who end their sign-ins.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

export function addPeopleCommands(program: Commander, bind: Bind): void {
  program
    .command('login')
    .description('sign in at the issuer of the workspace (`sign_in` in workspace.yaml)')
    .action(bind(async () => (await import('../commands/login.ts')).login));
  program
    .command('logout')
    .description('end the sign-in of `lumenflow login`')
    .action(bind(async () => (await import('../commands/logout.ts')).logout));
  const people = program.command('people').description('list and sign out the people who sign in');
  people
    .command('list')
    .description('list the people who have signed in')
    .action(bind(async () => (await import('../commands/people-list.ts')).peopleList));
  people
    .command('sign-out')
    .argument('<name>')
    .description('end all sign-ins of a person on all hosts')
    .option('--as <name>', 'your name')
    .option('--reason <text>', 'reason, for the record')
    .action(bind(async () => (await import('../commands/people-sign-out.ts')).peopleSignOut));
}
