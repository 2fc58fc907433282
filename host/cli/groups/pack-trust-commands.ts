// Commands that install, approve and sign packs.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

/** `pack` is the group that they belong to. */
export function addPackTrustCommands(pack: Commander, bind: Bind): void {
  addAddCommand(pack, bind);
  pack
    .command('update')
    .argument('[pack]', 'id of a pin in workspace.yaml (default: all)')
    .description('pin the newest version of packs, and show the differences of their tools')
    .option('--to <version>', 'version, range or tag of npm, another tarball, or ref of a repository')
    .option('--dry-run', 'show the differences without writing the pins')
    .action(bind(async () => (await import('../commands/pack-update.ts')).packUpdate));
  pack
    .command('publish')
    .argument('[folder]', 'folder of the pack (default: this folder)')
    .description('check exactly the files that npm ships, and publish them')
    .option('--dry-run', 'check and list the files without publishing them')
    .action(bind(async () => (await import('../commands/pack-publish.ts')).packPublish));
  pack
    .command('install')
    .argument('[pack]', 'id of a pin in workspace.yaml (default: all)')
    .description('fetch pinned packs from npm and git, and write packs.lock')
    .option('--frozen', 'fail if packs.lock would change (for CI)')
    .option('--update', 'resolve branches and tags again')
    .action(bind(async () => (await import('../commands/pack-install.ts')).packInstall));
  pack
    .command('approve')
    .argument('<pack>', 'id of a pin in workspace.yaml')
    .description('show new and changed tools of a pack, and approve them')
    .option('--as <name>', 'your name')
    .option('--dry-run', 'show the changes without approving them')
    .action(bind(async () => (await import('../commands/pack-approve.ts')).packApprove));
  pack
    .command('keygen')
    .argument('<name>', 'name of the signer, for example example.com/packs')
    .description('generate a signing key for packs, and print its public part')
    .requiredOption('--out <file>', 'output file for the private key')
    .action(bind(async () => (await import('../commands/pack-keygen.ts')).packKeygen));
  pack
    .command('sign')
    .argument('[folder]', 'folder of the pack (default: this folder)')
    .description('sign a pack, and write pack.sig')
    .requiredOption('--key <file>', 'private key from `pack keygen`')
    .action(bind(async () => (await import('../commands/pack-sign.ts')).packSign));
}

function addAddCommand(pack: Commander, bind: Bind): void {
  pack
    .command('add')
    .argument('<source>', 'id of a first-party pack, package[@version], tarball, folder, or repository#ref')
    .argument('[command...]', 'after `--`: command that starts an MCP server; the source is then the id of its pin')
    .description('pin a pack or an MCP server in workspace.yaml')
    .option('--path <folder>', "folder of the pack in its repository, or of the server's program")
    .option(
      '--url <address>',
      'address of an MCP server that speaks streamable HTTP; the source is then the id of its pin',
    )
    .option('--header <header...>', "with --url: 'Name: value'; ${NAME} in it stands for a variable of the environment")
    .option('--lifetime <span>', 'of an MCP server: call, session, task or workspace')
    .action(
      bind(async () => {
        const {packAdd} = await import('../commands/pack-add.ts');
        const {packAddServer} = await import('../commands/pack-add-server.ts');
        return async (context, args, options) =>
          await (args.length > 1 || 'url' in options ? packAddServer : packAdd)(context, args, options);
      }),
    );
}
