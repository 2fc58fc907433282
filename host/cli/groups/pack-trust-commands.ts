// Commands about where packs come from, and who vouches for them.
import type {Command as Commander} from 'commander';
import type {Bind} from '../bind.ts';

/** `pack` is the group that they belong to. */
export function addPackTrustCommands(pack: Commander, bind: Bind): void {
  pack
    .command('install')
    .argument('[pack]', 'the id of a pin in workspace.yaml; default: all')
    .description('fetch what the pins name from npm and git, and write packs.lock')
    .option('--frozen', 'fail when packs.lock would change, for CI')
    .option('--update', 'look anew at what branches and tags mean')
    .action(bind(async () => (await import('../commands/pack-install.ts')).packInstall));
  pack
    .command('approve')
    .argument('<pack>', 'the id of a pin in workspace.yaml')
    .description('show what is new or changed in the tools of a pack, and approve it')
    .option('--as <name>', 'who approves')
    .option('--dry-run', 'only show it')
    .action(bind(async () => (await import('../commands/pack-approve.ts')).packApprove));
  pack
    .command('keygen')
    .argument('<name>', 'who signs with it, for example example.com/packs')
    .description('make a key that signs packs, and print its public half')
    .requiredOption('--out <file>', 'where the private key goes')
    .action(bind(async () => (await import('../commands/pack-keygen.ts')).packKeygen));
  pack
    .command('sign')
    .argument('[folder]', 'default: this folder')
    .description('sign a pack: writes pack.sig')
    .requiredOption('--key <file>', 'a private key of `pack keygen`')
    .action(bind(async () => (await import('../commands/pack-sign.ts')).packSign));
}
