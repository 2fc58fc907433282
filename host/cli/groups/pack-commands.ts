// Commands for packs and the sandbox.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import {addAuthorCommands} from './author-commands.ts';
import {addPackTrustCommands} from './pack-trust-commands.ts';

export function addPackCommands(program: Commander, bind: Bind): void {
  const pack = program.command('pack').description('create, install, inspect and sign packs');
  pack
    .command('create')
    .argument('<folder>', 'new folder; its name becomes the pack id')
    .description('create a pack with a tool, a rule, a config and their tests')
    .option('--single-file', 'create a pack with a tool only, whose code contains its entry in the manifest')
    .action(bind(async () => (await import('../commands/pack-create.ts')).packCreate));
  pack
    .command('list')
    .description('list the packs of the workspace with their source, state and signer')
    .action(bind(async () => (await import('../commands/pack-list.ts')).packList));
  addPackTrustCommands(pack, bind);
  pack
    .command('show')
    .argument('<pack>', 'id of a pin in workspace.yaml')
    .description('show what a pack contains: tools, rules, task types, state names and lanes to copy')
    .action(bind(async () => (await import('../commands/pack-show.ts')).packShow));
  pack
    .command('hash')
    .argument('<pack>', 'a folder, or the id of a pin in workspace.yaml')
    .description("print a pack's integrity hash for its pin")
    .action(bind(async () => (await import('../commands/pack-hash.ts')).packHash));
  addAuthorCommands(pack, bind);
  program
    .command('sandbox')
    .description('inspect the sandbox of this machine')
    .command('doctor')
    .description('show what the sandbox can enforce on this machine, and how to close the gaps')
    .action(bind(async () => (await import('../commands/sandbox-doctor.ts')).sandboxDoctor));
}
