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
    .option('--program', 'create a pack with a program, and a tool that it calls')
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
    .command('doctor')
    .argument('[pack]', 'id of a pin in workspace.yaml (default: all services and MCP servers)')
    .description('check whether services and MCP servers reply, and whether their variables are set')
    .action(bind(async () => (await import('../commands/pack-doctor.ts')).packDoctor));
  pack
    .command('hash')
    .argument('<pack>', 'a folder, or the id of a pin in workspace.yaml')
    .description("print a pack's integrity hash for its pin")
    .action(bind(async () => (await import('../commands/pack-hash.ts')).packHash));
  addAuthorCommands(pack, bind);
  addSandboxCommands(program, bind);
}

function addSandboxCommands(program: Commander, bind: Bind): void {
  const sandbox = program.command('sandbox').description('inspect the sandbox of this machine');
  const image = sandbox.command('image').description('build, list and remove the image of containers for calls');
  for (const [name, description] of [
    ['build', 'build the image from the programs of this machine, unless the engine has it'],
    ['list', 'list the images that were built, and which of them is current'],
    ['prune', 'remove the images that are not current'],
  ] as const) {
    image
      .command(name)
      .description(description)
      .option('--backend <name>', 'docker or podman (default: the first that runs)')
      .action(bind(async () => (await import('../commands/sandbox-image.ts')).sandboxImage[name]));
  }
  image
    .command('save')
    .description('save the image as a file, for the registry or the nodes of a cluster')
    .argument('<file>', 'new file for the archive')
    .action(bind(async () => (await import('../commands/sandbox-image-save.ts')).sandboxImageSave));
  sandbox
    .command('doctor')
    .description('show what the sandbox can enforce on this machine, and how to close the gaps')
    .option('--fresh', 'try everything again, also what a host of this user tried in the last hour')
    .action(bind(async () => (await import('../commands/sandbox-doctor.ts')).sandboxDoctor));
}
