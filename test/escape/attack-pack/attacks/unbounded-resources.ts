// Resources, by a tool that declares no limit: the defaults and the workspace's ceiling are all that there is.
import {closeSync, ftruncateSync, openSync, statSync, unlinkSync, writeSync} from 'node:fs';
import {join} from 'node:path';
import {saidSo, type Attack, type Attempt} from '../attack.ts';
import {perl} from '../native/run-program.ts';

const gibibyte = 1024 * 1024 * 1024;

const boundless = (name: string, title: string, attempt: Attempt): Attack => ({
  name,
  title,
  attempts: [attempt],
  succeeded: saidSo,
});

export const unboundedResourceAttacks: readonly Attack[] = [
  boundless('default-processes', 'starts 3,000 processes without a declared limit', () =>
    perl(
      'setpgrp(0, 0); my $n = 0; for (1 .. 3000) { my $p = fork(); last if !defined $p; if (!$p) { sleep 20; exit } $n++ } ok($n == 3000 ? 0 : -1, "3000"); kill("KILL", 0)',
    ),
  ),
  boundless('default-memory', 'takes 3 GiB without a declared limit', () =>
    perl(
      'setpgrp(0, 0); for (1 .. 6) { my $p = fork(); next if $p; my $m = "x" x (512 << 20); sleep 1; POSIX::_exit(0) } my $n = 0; while (wait() > 0) { $n++ if $? == 0 } ok($n == 6 ? 0 : -1, "3 GiB")',
    ),
  ),
  boundless('default-large-file', 'makes a file of 2 GiB without a declared limit', ({root}) => {
    const path = join(root, 'work/large');
    const file = openSync(path, 'w');
    try {
      // With holes: it is the size that counts.
      ftruncateSync(file, 2 * gibibyte - 1);
      writeSync(file, 'x', 2 * gibibyte - 1);
      return statSync(path).size >= 2 * gibibyte ? 'did it: 2 GiB' : 'smaller';
    } finally {
      closeSync(file);
      unlinkSync(path);
    }
  }),
  boundless('default-descriptors', 'opens 18,000 files without a declared limit', () => {
    const open: number[] = [];
    try {
      for (let count = 0; count < 18_000; count += 1) open.push(openSync('/dev/null', 'r'));
      return 'did it';
    } finally {
      for (const fd of open) closeSync(fd);
    }
  }),
];
