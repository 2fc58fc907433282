// Commands that install, approve and sign packs.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';
import type {ServiceOptions} from '../commands/pack-add-service.ts';

/** `pack` is the group that they belong to. */
export function addPackTrustCommands(pack: Commander, bind: Bind): void {
  addAdding(pack, bind);
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

function addAdding(pack: Commander, bind: Bind): void {
  pack
    .command('add')
    .argument('<source>', 'id of a first-party pack, package[@version], tarball, folder, or repository#ref')
    .argument('[command...]', 'after `--`: command that starts an MCP server; the source is then the id of its pin')
    .description('pin a pack, an MCP server or a service in workspace.yaml')
    .option('--path <folder>', "folder of the pack in its repository, or of the server's program")
    .option(
      '--url <address>',
      'address of an MCP server that speaks streamable HTTP; the source is then the id of its pin',
    )
    .option(
      '--header <header...>',
      "with --url: 'Name: value'; ${NAME} in it is replaced by a variable of the environment",
    )
    .option('--lifetime <span>', 'of an MCP server: call, session, task or workspace')
    .option('--openapi <document>', 'file or URL of an OpenAPI document; the source is then the id of the pin')
    .option('--grpc <address>', 'address of a gRPC service, as https://host:port; the source is then the id of the pin')
    .option('--proto <file>', "with --grpc: the service's .proto file (default: its reflection)")
    .option(
      '--server <address...>',
      'addresses of the service, in order of preference (default: those of the document)',
    )
    .option('--only <pattern...>', "operations of a service: names such as 'list-*', or tag:NAME (default: all)")
    .action(
      bind(async () => {
        const {packAdd} = await import('../commands/pack-add.ts');
        const {packAddServer} = await import('../commands/pack-add-server.ts');
        const {packAddService} = await import('../commands/pack-add-service.ts');
        return async (context, args, options: ServiceOptions & {readonly url?: string}) => {
          const isService = options.openapi !== undefined || options.grpc !== undefined;
          const isServer = args.length > 1 || options.url !== undefined;
          const add = isService ? packAddService : isServer ? packAddServer : packAdd;
          return await add(context, args, options);
        };
      }),
    );
}
