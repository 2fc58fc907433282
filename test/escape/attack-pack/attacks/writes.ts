// Filesystem: changing what is not granted.
import {appendFileSync, linkSync, mkdirSync, symlinkSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {didIt, saidSo, wrote, type Attack, type Attempt, type Setting} from '../attack.ts';
import {filesOf} from '../native/files-of.ts';
import {perl, shell} from '../native/run-program.ts';

const target = ({outside}: Setting): string => join(outside, 'file');
const state = ({root}: Setting): string => join(root, '.lumenflow/spare');

const write = (name: string, title: string, pathOf: (setting: Setting) => string, seenAt = pathOf): Attack => ({
  name,
  title,
  attempts: [
    (setting) => {
      writeFileSync(pathOf(setting), setting.marker);
      return 'written';
    },
  ],
  succeeded: wrote(seenAt),
});

interface Asked extends Pick<Attack, 'name' | 'title' | 'lanes' | 'prepare'> {
  readonly path: (setting: Setting) => string;
  readonly seenAt: (setting: Setting) => string;
}

const asked = ({path, seenAt, ...words}: Asked): Attack => ({
  ...words,
  attempts: [
    async (setting, context) => {
      await filesOf(setting, context).write(path(setting), setting.marker);
      return 'written';
    },
  ],
  succeeded: wrote(seenAt),
});

/** A folder flips between itself and a symlink to the outside while the host is asked to write in it. */
const race: Attempt = async (setting, context) => {
  const flip = `cd "$1/work"; mkdir -p race; i=0; while [ $i -lt 400 ]; do mv race kept && ln -s "$2" race; rm race; mv kept race; i=$((i+1)); done`;
  const {spawn} = await import('node:child_process');
  const flipping = spawn('/bin/sh', ['-c', flip, 'sh', setting.root, setting.outside], {stdio: 'ignore'});
  let written = 0;
  await new Promise<void>((resolve) => {
    const next = (): void => {
      if (flipping.exitCode !== null) return resolve();
      void filesOf(setting, context)
        .write('work/race/file', setting.marker)
        .then(
          () => (written += 1),
          () => undefined,
        )
        .then(() => setImmediate(next));
    };
    next();
  });
  return `written ${written} times`;
};

export const writeAttacks: readonly Attack[] = [
  write('write-absolute', 'writes outside by an absolute path', target),
  write('write-dots', 'writes outside by `..`', ({root}) => `${root}/../outside/file`, target),
  write('write-other-workspace', 'writes in another workspace', ({otherWorkspace}) => join(otherWorkspace, 'notes')),
  write('write-authorized-keys', 'adds to ~/.ssh/authorized_keys', ({home}) => join(home, '.ssh/authorized_keys')),
  write('write-home-rc', 'writes ~/.bashrc', ({home}) => join(home, '.bashrc')),
  {
    ...write('write-ungranted', 'writes where the lane only reads', ({root}) => join(root, 'docs/a.md')),
    lanes: ['narrow'],
  },
  {
    ...write('write-unmentioned', 'writes where the lane says nothing', ({root}) => join(root, 'planted')),
    lanes: ['narrow'],
  },
  write('write-dotenv', 'replaces .env', ({root}) => join(root, '.env')),
  write('write-overlay', 'writes where a deny overlay hides', ({root}) => join(root, 'secrets/key')),
  write('write-state', "writes in the kernel's state", state),
  write(
    'write-state-spelling',
    "writes in the kernel's state by another notation",
    ({root}) => `${root}/.//work/../.lumenflow//spare`,
    state,
  ),
  write('write-state-new', "makes a file in the kernel's state", ({root}) => join(root, '.lumenflow/kernel/planted')),
  {
    name: 'replace-workspace-yaml',
    title: 'moves a changed copy over workspace.yaml',
    attempts: [
      ({root, marker}) =>
        shell(
          'cd "$1"; cp workspace.yaml new.yaml; echo "# $2" >>new.yaml; mv -f new.yaml workspace.yaml',
          root,
          marker,
        ),
    ],
    succeeded: wrote(({root}) => join(root, 'workspace.yaml')),
  },
  {
    name: 'move-state',
    title: "moves the kernel's state away and back, changed",
    attempts: [
      ({root, marker}) =>
        shell('cd "$1"; mv .lumenflow moved && echo "$2" >moved/spare; mv moved .lumenflow', root, marker),
    ],
    succeeded: wrote(state),
  },
  {
    name: 'delete-state',
    title: "deletes in the kernel's state",
    attempts: [({root}) => shell('rm -rf "$1/.lumenflow/spare"', root)],
    succeeded: (outside) => outside.read(state(outside.setting)) === undefined,
  },
  {
    name: 'change-evidence',
    title: 'opens the evidence log to add a line',
    // Only opened: a log that was changed refuses every further call.
    attempts: [
      ({root}) =>
        shell('for f in "$1"/.lumenflow/kernel/evidence/traces/*; do (: >>"$f") && echo "did it"; done', root),
    ],
    succeeded: saidSo,
  },
  {
    name: 'write-standing-symlink',
    title: 'writes through an existing symlink',
    prepare: ({root, outside}) => symlinkSync(outside, join(root, 'work/out')),
    attempts: [({root, marker}) => (appendFileSync(join(root, 'work/out/file'), marker), 'written')],
    succeeded: wrote(target),
  },
  {
    name: 'write-planted-symlink',
    title: 'plants a symlink, writes over it in the next call',
    lanes: ['wide', 'sub'],
    attempts: [
      ({root, outside}) => shell('cd "$1/work"; mv sub gone; ln -s "$2" sub', root, outside),
      ({root, marker}) => (appendFileSync(join(root, 'work/sub/file'), marker), 'written'),
    ],
    succeeded: wrote(target),
  },
  {
    name: 'write-hard-link',
    title: 'links a file of the outside into the workspace, then writes it',
    attempts: [
      ({root, outside, marker}) => {
        linkSync(join(outside, 'file'), join(root, 'work/linked'));
        appendFileSync(join(root, 'work/linked'), marker);
        return 'written';
      },
    ],
    succeeded: wrote(target),
  },
  {
    name: 'write-reopened',
    title: 'opens a file to read, then for writing by /proc/self/fd',
    lanes: ['narrow'],
    attempts: [({root, marker}) => shell('exec 9<"$1/docs/a.md"; echo "$2" >>/proc/self/fd/9', root, marker)],
    succeeded: wrote(({root}) => join(root, 'docs/a.md')),
  },
  {
    name: 'temporary-linked',
    title: 'makes a nameless file in the workspace and names it outside',
    attempts: [
      ({root, outside, marker}) =>
        perl(
          `sysopen(my $f, "$ARGV[0]/work", 0x410000 | O_RDWR, 0600) or die "O_TMPFILE: $!"; syswrite($f, $ARGV[2]);
           ok(syscall($nr{linkat}, -100, my $from = "/proc/self/fd/" . fileno($f), -100, my $to = "$ARGV[1]/planted", 0x400), 'linkat')`,
          root,
          outside,
          marker,
        ),
    ],
    succeeded: wrote(({outside}) => join(outside, 'planted')),
  },
  {
    name: 'setuid-left-behind',
    title: 'leaves a setuid program in the workspace',
    attempts: [({root}) => shell('cp /bin/true "$1/work/s"; chmod 4755 "$1/work/s"; ls -l "$1/work/s"', root)],
    succeeded: ({setting}) => shell('find "$1/work" -perm /6000', setting.root).includes('/s'),
  },
  {
    name: 'device-left-behind',
    title: 'leaves a device node in the workspace',
    attempts: [({root}) => shell('mknod "$1/work/mem" c 1 1', root)],
    succeeded: ({setting}) => shell('find "$1/work" -type c', setting.root).includes('/mem'),
  },
  asked({
    name: 'fs-write-dots',
    title: 'writes outside by `..`, asking the host',
    path: () => '../outside/file',
    seenAt: target,
  }),
  asked({
    name: 'fs-write-absolute',
    title: 'writes outside by an absolute path, asking the host',
    path: target,
    seenAt: target,
  }),
  asked({
    name: 'fs-write-symlink',
    title: 'writes outside over a symlink, asking the host',
    path: () => 'work/link',
    seenAt: target,
    prepare: ({root, outside}) => symlinkSync(join(outside, 'file'), join(root, 'work/link')),
  }),
  asked({
    name: 'fs-write-symlinked-folder',
    title: 'writes outside over a symlinked folder, asking the host',
    path: () => 'work/folder/file',
    seenAt: target,
    prepare: ({root, outside}) => symlinkSync(outside, join(root, 'work/folder')),
  }),
  asked({
    name: 'fs-write-ungranted',
    title: 'writes where the lane only reads, asking the host',
    lanes: ['narrow'],
    path: () => 'work/../docs/a.md',
    seenAt: ({root}) => join(root, 'docs/a.md'),
  }),
  asked({
    name: 'fs-write-state',
    title: "writes in the kernel's state, asking the host",
    path: () => 'work/.././/.lumenflow/spare',
    seenAt: state,
  }),
  asked({
    name: 'fs-write-dotenv',
    title: 'replaces .env, asking the host',
    path: () => '.env',
    seenAt: ({root}) => join(root, '.env'),
  }),
  asked({
    name: 'fs-write-hook',
    title: 'writes a git hook, asking the host',
    path: () => '.git/hooks/pre-push',
    seenAt: ({root}) => join(root, '.git/hooks/pre-push'),
  }),
  {
    name: 'fs-race',
    title: 'swaps a folder for a symlink while the host writes in it',
    attempts: [race],
    succeeded: wrote(target),
    slow: true,
  },
  {
    name: 'preload',
    title: 'makes /etc/ld.so.preload',
    attempts: [
      ({disposable}) => (disposable ? shell('echo >/etc/ld.so.preload && echo "did it"') : 'not on this machine'),
    ],
    succeeded: ({read}) => read('/etc/ld.so.preload') !== undefined,
  },
  {
    name: 'write-system-program',
    title: 'puts a program into /usr/local/bin',
    attempts: [
      ({disposable, marker}) => {
        if (!disposable) return 'not on this machine';
        mkdirSync('/usr/local/bin', {recursive: true});
        writeFileSync('/usr/local/bin/escape-planted', marker);
        return 'written';
      },
    ],
    succeeded: wrote(() => '/usr/local/bin/escape-planted'),
  },
  {
    name: 'remount-writable',
    title: 'remounts /usr writable and writes there',
    attempts: [
      ({disposable, marker}) =>
        disposable
          ? shell('mount -o remount,rw,bind /usr; echo "$1" >/usr/escape-planted', marker)
          : 'not on this machine',
    ],
    succeeded: wrote(() => '/usr/escape-planted'),
  },
  {
    name: 'runner-opened',
    title: 'opens the runner, Node and the bundle for writing',
    attempts: [
      () =>
        ['/proc/self/exe', process.argv[1] ?? '', import.meta.filename]
          .map((path) => shell('(: >>"$1") && echo "$2: $1"', path, didIt))
          .join(''),
    ],
    succeeded: saidSo,
  },
];
