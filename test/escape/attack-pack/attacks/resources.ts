// Resources: more than the limits, longer than the deadline, and leftovers. Without limits the attacks stop by themselves, at an
// amount that shows that nothing limited them.
import {spawn} from 'node:child_process';
import {closeSync, openSync, statSync} from 'node:fs';
import {setTimeout as sleep} from 'node:timers/promises';
import {join} from 'node:path';
import {saidSo, type Attack, type Attempt, type Outside, type Setting} from '../attack.ts';
import {perl, shell} from '../native/run-program.ts';

/** After the deadline of `try-bounded`: a grace to end, and time to show that nothing ended it. */
const graceMs = 2_500;
const longerMs = 4_000;
const mebibyte = 1024 * 1024;

const wasLate = ({milliseconds, setting}: Outside): boolean => milliseconds > setting.deadlineMs + graceMs;
const runsOn = ({deadlineMs}: Setting): number => deadlineMs + longerMs;
const words = (name: string, title: string): Pick<Attack, 'name' | 'title' | 'tool'> => ({
  name,
  title,
  tool: 'try-bounded',
});
const bounded = (name: string, title: string, attempt: Attempt): Attack => ({
  ...words(name, title),
  attempts: [attempt],
  succeeded: saidSo,
});
const late = (name: string, title: string, attempt: Attempt): Attack => ({
  ...words(name, title),
  slow: true,
  attempts: [attempt],
  succeeded: wasLate,
});

const spin = (setting: Setting): string => {
  const end = Date.now() + runsOn(setting);
  while (Date.now() < end);
  return 'spun';
};

export const resourceAttacks: readonly Attack[] = [
  late('spin', 'never returns, busy', spin),
  late('sleep', 'never returns, idle', async (setting) => (await sleep(runsOn(setting)), 'slept')),
  late('deaf', 'never returns, ignoring every signal', async (setting) => {
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT', 'SIGUSR1', 'SIGUSR2'] as const)
      process.on(signal, () => undefined);
    return spin(setting);
  }),
  late('deaf-children', 'waits for children that ignore every signal', async (setting) =>
    shell(`trap '' TERM INT HUP QUIT; sh -c "trap '' TERM INT HUP; sleep ${runsOn(setting) / 1_000}" & wait`),
  ),
  late('exit-handler', 'exits, but never ends its exit handler', async (setting) => {
    process.on('exit', () => spin(setting));
    process.exit(0);
  }),
  {
    ...words('late-daemons', 'leaves daemons when its time is over'),
    slow: true,
    attempts: [
      async (setting) => {
        for (let count = 0; count < 5; count += 1) {
          spawn(
            '/usr/bin/perl',
            ['-e', '$SIG{TERM} = "IGNORE"; use POSIX; fork and exit; POSIX::setsid(); sleep 60', setting.marker],
            {detached: true, stdio: 'ignore'},
          ).unref();
        }
        return await sleep(setting.deadlineMs + graceMs, 'slept');
      },
    ],
    succeeded: ({leftovers}) => leftovers().length > 0,
    settleMs: 500,
  },
  bounded('fork-bomb', 'starts 300 processes', () =>
    perl(
      'setpgrp(0, 0); my $n = 0; for (1 .. 300) { my $p = fork(); last if !defined $p; if (!$p) { sleep 5; exit } $n++ } print "$n\\n"; ok($n == 300 ? 0 : -1, "300"); kill("KILL", 0)',
    ),
  ),
  bounded('thread-bomb', 'starts 200 threads', async () => {
    const {Worker} = await import('node:worker_threads');
    const workers: InstanceType<typeof Worker>[] = [];
    let started = 0;
    for (let count = 0; count < 200; count += 1) {
      await new Promise<void>((resolve) => {
        const worker = new Worker('setTimeout(() => {}, 9000)', {
          eval: true,
          resourceLimits: {maxOldGenerationSizeMb: 4},
        });
        workers.push(worker);
        worker.once('online', () => ((started += 1), resolve())).once('error', () => resolve());
      });
    }
    await Promise.all(workers.map(async (worker) => await worker.terminate()));
    return started === 200 ? 'did it: 200' : `${started} threads`;
  }),
  bounded('memory-heap', 'takes 768 MiB of heap', () => {
    const kept: unknown[] = [];
    for (let count = 0; count < 96; count += 1) kept.push(Array.from({length: mebibyte}, (_, index) => index + 0.5));
    return `did it: ${kept.length}`;
  }),
  bounded('memory-buffers', 'takes 768 MiB outside of the heap', () => {
    const kept: Buffer[] = [];
    for (let count = 0; count < 768; count += 1) kept.push(Buffer.alloc(mebibyte, 1));
    return `did it: ${kept.length} MiB`;
  }),
  bounded('memory-children', 'takes 768 MiB by children', () =>
    perl(
      'for (1 .. 4) { my $p = fork(); next if $p; my $m = "x" x (192 << 20); sleep 1; POSIX::_exit(length $m > 0 ? 0 : 1) } my $n = 0; while (wait() > 0) { $n++ if $? == 0 } ok($n == 4 ? 0 : -1, "768 MiB")',
    ),
  ),
  bounded('fill-tmp', 'writes 256 MiB into /tmp', () =>
    shell(
      'for i in $(seq 1 32); do head -c 8388608 /dev/zero >/tmp/lumenflow-fill-$i || exit; done; echo "did it"; rm -f /tmp/lumenflow-fill-*',
    ),
  ),
  bounded('fill-shm', 'writes 256 MiB into /dev/shm', () =>
    shell(
      'for i in $(seq 1 32); do head -c 8388608 /dev/zero >/dev/shm/lumenflow-fill-$i || exit; done; echo "did it"; rm -f /dev/shm/lumenflow-fill-*',
    ),
  ),
  bounded('fill-dev', 'writes 64 MiB into /dev', ({guarded}) =>
    // Outside of a sandbox /dev is for root; what is tried is memory that a folder takes.
    shell(
      'head -c 67108864 /dev/zero >$1/lumenflow-fill && echo "did it"; rm -f $1/lumenflow-fill',
      guarded ? '/dev' : '/dev/shm',
    ),
  ),
  bounded('many-in-dev', 'makes 5,000 files in /dev', ({guarded}) =>
    perl(
      'my $n = 0; for (1 .. 5000) { open(my $f, ">", "$ARGV[0]/lumenflow-many-$$-$_") or last; $n++ } ok($n == 5000 ? 0 : -1, "5000"); unlink "$ARGV[0]/lumenflow-many-$$-$_" for 1 .. $n',
      guarded ? '/dev' : '/dev/shm',
    ),
  ),
  bounded('memory-memfd', 'takes 768 MiB of memory that no process maps', () =>
    perl(
      'my $name = "m"; my $fd = syscall($nr{memfd_create}, $name, 0); open(my $f, ">&=", $fd) or die "memfd: $!"; my $m = "x" x (1 << 20); for (1 .. 768) { syswrite($f, $m) } select(undef, undef, undef, 0.5); ok(-s $f == 768 << 20 ? 0 : -1, "768 MiB")',
    ),
  ),
  bounded('fill-root', 'writes 32 MiB into the root folder', () =>
    shell(
      'for d in / /run /var /var/tmp /mnt /opt /home /etc; do head -c 8388608 /dev/zero >$d/lumenflow-fill && echo "did it: $d"; rm -f $d/lumenflow-fill; done',
    ),
  ),
  {
    ...words('large-file', 'writes one file of 64 MiB'),
    attempts: [({root}) => shell('head -c 67108864 /dev/zero >"$1/work/large"', root)],
    succeeded: ({setting, read}) =>
      read(join(setting.root, 'work/file')) !== undefined && sizeOf(join(setting.root, 'work/large')) > 32 * mebibyte,
  },
  bounded('descriptors', 'opens 2,000 files', () => {
    const open: number[] = [];
    try {
      for (let count = 0; count < 2_000; count += 1) open.push(openSync('/dev/null', 'r'));
      return 'did it';
    } finally {
      for (const fd of open) closeSync(fd);
    }
  }),
  bounded('inodes', 'makes 100,000 files in /tmp', () =>
    perl(
      'mkdir "/tmp/lumenflow-many"; my $n = 0; for (1 .. 100000) { open(my $f, ">", "/tmp/lumenflow-many/$_") or last; $n++ } ok($n == 100000 ? 0 : -1, "100000"); unlink "/tmp/lumenflow-many/$_" for 1 .. $n',
    ),
  ),
  {
    ...words('flood', 'prints 200 MiB'),
    attempts: [() => shell('head -c 209715200 /dev/zero >&2')],
    succeeded: () => process.memoryUsage().rss > 700 * mebibyte,
  },
];

function sizeOf(path: string): number {
  return statSync(path, {throwIfNoEntry: false})?.size ?? 0;
}
