// Commands about packs, the sandbox and the server.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import {addAuthorCommands} from './author-commands.ts';
import {addPackTrustCommands} from './pack-trust-commands.ts';

export function addPackCommands(program: Commander, bind: Bind): void {
  const pack = program.command('pack').description('the packs that tools come from');
  pack
    .command('create')
    .argument('<folder>', 'its name is the id of the pack')
    .description('start a pack: a tool, a rule, a config and their tests')
    .action(bind(async () => (await import('../commands/pack-create.ts')).packCreate));
  pack
    .command('list')
    .description('the packs of the workspace: where from, whether changed, who signed')
    .action(bind(async () => (await import('../commands/pack-list.ts')).packList));
  addPackTrustCommands(pack, bind);
  pack
    .command('show')
    .argument('<pack>', 'the id of a pin in workspace.yaml')
    .description('what a pack brings: tools, rules, task types, words for states, lanes to copy')
    .action(bind(async () => (await import('../commands/pack-show.ts')).packShow));
  pack
    .command('hash')
    .argument('<pack>', 'a folder, or the id of a pin in workspace.yaml')
    .description('the integrity to pin a pack with')
    .action(bind(async () => (await import('../commands/pack-hash.ts')).packHash));
  addAuthorCommands(pack, bind);
  program
    .command('sandbox')
    .description('what holds sandboxed calls')
    .command('doctor')
    .description('what of a sandbox this machine can hold, and how to mend what it cannot')
    .action(bind(async () => (await import('../commands/sandbox-doctor.ts')).sandboxDoctor));
}
