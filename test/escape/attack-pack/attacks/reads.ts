// Filesystem: reading what is not granted.
import {linkSync, mkdirSync, readFileSync, renameSync, symlinkSync} from 'node:fs';
import {join} from 'node:path';
import {saidSo, type Attack, type Attempt, type Setting} from '../attack.ts';
import {filesOf} from '../native/files-of.ts';
import {perl, shell} from '../native/run-program.ts';

/** A file read by Node itself. */
const read = (name: string, title: string, pathOf: (setting: Setting) => string): Attack => ({
  name,
  title,
  attempts: [(setting) => readFileSync(pathOf(setting), 'utf8')],
});

const asked = (
  name: string,
  title: string,
  path: (setting: Setting) => string,
  prepare?: Attack['prepare'],
): Attack => ({
  name,
  title,
  attempts: [async (setting, context) => await filesOf(setting, context).readText(path(setting))],
  ...(prepare && {prepare}),
});

const plantLink: Attempt = ({root, outside}) => {
  renameSync(join(root, 'work/sub'), join(root, 'work/gone'));
  symlinkSync(join(outside, 'sub'), join(root, 'work/sub'));
  return 'planted';
};

export const readAttacks: readonly Attack[] = [
  read('ssh-key', 'reads ~/.ssh/id_ed25519', ({home}) => join(home, '.ssh/id_ed25519')),
  read('aws-credentials', 'reads ~/.aws/credentials', ({home}) => join(home, '.aws/credentials')),
  read('netrc', 'reads ~/.netrc', ({home}) => join(home, '.netrc')),
  read('home-npmrc', 'reads ~/.npmrc', ({home}) => join(home, '.npmrc')),
  read('docker-config', 'reads ~/.docker/config.json', ({home}) => join(home, '.docker/config.json')),
  read('root-home', "reads a file of root's home", () => '/root/.lumenflow-escape'),
  read('other-home', "reads another user's ssh key", ({otherHome}) => join(otherHome, '.ssh/id_ed25519')),
  read('other-workspace', 'reads another workspace', ({otherWorkspace}) => join(otherWorkspace, 'notes')),
  read('outside-absolute', 'reads outside by an absolute path', ({outside}) => join(outside, 'secret')),
  read('outside-dots', 'reads outside by `..`', ({root}) => `${root}/work/../../outside/secret`),
  read('dotenv', 'reads .env of the workspace', ({root}) => join(root, '.env')),
  read('dotenv-deep', 'reads .env of a granted folder', ({root}) => join(root, 'work/deep/.env')),
  read('dotenv-local', 'reads .env.local of a granted folder', ({root}) => join(root, 'work/.env.local')),
  read('dotenv-spelling', 'reads .env by another notation', ({root}) => `${root}//work/.././/.env`),
  read('deny-overlay', 'reads what a deny overlay hides', ({root}) => join(root, 'secrets/key')),
  read('state', "reads the kernel's state", ({root}) => join(root, '.lumenflow/spare')),
  read('state-spelling', "reads the kernel's state by `..`", ({root}) => `${root}/work/../.lumenflow/./spare`),
  {
    name: 'shadow',
    title: 'reads /etc/shadow',
    attempts: [() => readFileSync('/etc/shadow', 'utf8')],
    succeeded: ({said}) => /^root:/m.test(said),
  },
  {
    name: 'host-keys',
    title: 'lists the private keys of /etc/ssl and /etc/ssh',
    attempts: [() => shell('find /etc/ssl/private /etc/ssh -maxdepth 1 -name "*key*" -o -name openssl.cnf')],
    succeeded: ({said}) => /^\/etc\/ss.*key/m.test(said),
  },
  {
    name: 'proc-root',
    title: "reads outside through any process's /proc/PID/root",
    attempts: [({outside}) => shell('for p in /proc/[0-9]*; do cat $p/root$1/secret 2>/dev/null; done', outside)],
  },
  {
    name: 'proc-cwd',
    title: "reads the host's folder through /proc/PID/cwd",
    attempts: [() => shell('for p in /proc/[0-9]*; do cat $p/cwd/secret 2>/dev/null; done')],
  },
  {
    name: 'proc-fd',
    title: 'reads the open files of other processes: /proc/PID/fd',
    attempts: [
      () => shell('for f in /proc/[0-9]*/fd/*; do case $(readlink $f) in /*kernel/*) echo "did it: $f";; esac; done'),
    ],
    succeeded: saidSo,
  },
  {
    name: 'standing-symlink',
    title: 'reads through an existing symlink',
    prepare: ({root, outside}) => symlinkSync(join(outside, 'secret'), join(root, 'work/link')),
    attempts: [({root}) => readFileSync(join(root, 'work/link'), 'utf8')],
  },
  {
    name: 'planted-symlink',
    title: 'plants a symlink for the next call to be mounted over',
    lanes: ['wide', 'sub'],
    attempts: [plantLink, ({root}) => readFileSync(join(root, 'work/sub/secret'), 'utf8')],
  },
  {
    name: 'planted-symlink-to-state',
    title: 'plants a symlink to the state for the next call',
    lanes: ['wide', 'sub'],
    attempts: [
      ({root}) => {
        renameSync(join(root, 'work/sub'), join(root, 'work/gone'));
        symlinkSync('../.lumenflow', join(root, 'work/sub'));
        return 'planted';
      },
      ({root}) => readFileSync(join(root, 'work/sub/spare'), 'utf8'),
    ],
  },
  {
    name: 'dotenv-renamed',
    title: 'renames .env, then reads it',
    attempts: [({root}) => shell('cd "$1"; mv .env work/e; cat work/e .env', root)],
  },
  {
    name: 'dotenv-linked',
    title: 'makes a hard link to .env, then reads it',
    attempts: [
      ({root}) => {
        linkSync(join(root, '.env'), join(root, 'work/e'));
        return readFileSync(join(root, 'work/e'), 'utf8');
      },
    ],
  },
  {
    name: 'dotenv-linked-next',
    title: 'links .env in one call, reads the link in the next',
    attempts: [
      ({root}) => shell('cd "$1"; ln .env work/e || cp -l .env work/e; mv work/deep work/deeper', root),
      ({root}) => shell('cd "$1"; cat work/e work/deeper/.env', root),
    ],
  },
  {
    name: 'overlay-renamed-parent',
    title: 'renames a folder above a hidden one, reads it in the next call',
    prepare: ({root}) => mkdirSync(join(root, 'work/box')),
    attempts: [
      ({root}) => shell('cd "$1"; mv secrets work/box/open; mv work/box boxed', root),
      ({root}) => shell('cd "$1"; cat boxed/open/key', root),
    ],
  },
  {
    name: 'dotenv-unmounted',
    title: 'unmounts what hides .env',
    attempts: [
      ({root}) =>
        perl('ok(syscall($nr{umount2}, my $p = "$ARGV[0]/.env", 2), "umount"); print `cat $ARGV[0]/.env`', root),
    ],
  },
  asked('fs-dots', 'reads outside by `..`, asking the host', () => '../outside/secret'),
  asked('fs-absolute', 'reads outside by an absolute path, asking the host', ({outside}) => `${outside}/secret`),
  asked('fs-dotenv', 'reads .env, asking the host', () => '.env'),
  asked('fs-dotenv-spelling', 'reads .env by another notation, asking the host', () => 'work/.././/.env'),
  asked('fs-overlay', 'reads what an overlay hides, asking the host', () => 'secrets/key'),
  asked('fs-state', "reads the kernel's state, asking the host", () => './work/../.lumenflow/spare'),
  asked(
    'fs-symlink',
    'reads outside over a symlink, asking the host',
    () => 'work/link',
    ({root, outside}) => symlinkSync(join(outside, 'secret'), join(root, 'work/link')),
  ),
  asked(
    'fs-symlinked-folder',
    'reads outside over a symlinked folder, asking the host',
    () => 'work/folder/secret',
    ({root, outside}) => symlinkSync(outside, join(root, 'work/folder')),
  ),
  asked(
    'fs-symlink-to-dotenv',
    'reads .env over a symlink, asking the host',
    () => 'work/link',
    ({root}) => symlinkSync('../.env', join(root, 'work/link')),
  ),
  {
    name: 'by-handle',
    title: "opens the file system's root by its handle, around all mounts",
    attempts: [
      ({root, outside}) =>
        perl(
          `opendir(my $d, $ARGV[0]); open(my $f, '<', "$ARGV[0]/docs/a.md");
           # struct file_handle of a file system's root: type 1, inode 2, generation 0
           my $handle = pack('L l L L', 8, 1, 2, 0);
           my $fd = syscall($nr{open_by_handle_at}, fileno($f), $handle, 0);
           ok($fd, 'open_by_handle_at'); print \`cat /proc/$$/fd/$fd$ARGV[1]/secret\` if $fd >= 0`,
          root,
          outside,
        ),
    ],
  },
  {
    name: 'block-device',
    title: 'reads the disk of the workspace through a new device node',
    attempts: [
      ({root}) =>
        perl(
          `my $dev = (stat $ARGV[0])[0]; my $node = "$ARGV[0]/work/node";
           POSIX::mkfifo("$ARGV[0]/work/fifo", 0600); my ($major, $minor) = (($dev >> 8) & 0xfff, $dev & 0xff);
           system('mknod', $node, 'b', $major, $minor); sysopen(my $f, $node, O_RDONLY) or die "open: $!";
           ok(sysread($f, my $bytes, 4096) ? 0 : -1, 'read the disk')`,
          root,
        ),
    ],
    succeeded: saidSo,
  },
];
