// IPC: shared memory, queues and descriptors; and the channel on which a call's result travels.
import {spawnSync} from 'node:child_process';
import {writeSync} from 'node:fs';
import {saidSo, type Attack, type Outside} from '../attack.ts';
import {perl, shell} from '../native/run-program.ts';

const frame = (message: unknown): Buffer => {
  const json = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(json.length);
  return Buffer.concat([header, json]);
};

/** The handler says one thing, another program puts another into the result. */
const forged = (marker: string): Buffer =>
  frame({type: 'result', output: {success: true, data: {said: marker, forged: true}}});

const wasForged = ({outputs}: Outside): boolean =>
  outputs.some(({data}) => (data as {forged?: boolean} | undefined)?.forged === true);

export const ipcAttacks: readonly Attack[] = [
  {
    name: 'shared-memory',
    title: 'reads System V shared memory of the host',
    prepare: () =>
      void perl(
        'my $id = shmget(0x4c554d45, 100, 01666) // die $!; shmwrite($id, $ENV{HOST_SECRET}, 0, length $ENV{HOST_SECRET})',
      ),
    attempts: [
      () =>
        perl(
          'my $id = shmget(0x4c554d45, 100, 0444) // die "shmget: $!"; shmread($id, my $b, 0, 100) or die $!; print $b',
        ),
    ],
  },
  {
    name: 'message-queue',
    title: 'takes from a System V message queue of the host',
    prepare: () =>
      void perl(
        'my $id = msgget(0x4c554d46, 01666) // die $!; msgsnd($id, pack("l! a*", 1, $ENV{HOST_SECRET}), 04000)',
      ),
    attempts: [
      () =>
        perl(
          'my $id = msgget(0x4c554d46, 0666) // die "msgget: $!"; msgrcv($id, my $b, 200, 0, 04000) or die $!; print $b',
        ),
    ],
  },
  {
    name: 'semaphore',
    title: 'removes a System V semaphore of the host',
    prepare: () => void perl('semget(0x4c554d47, 1, 01666) // die $!'),
    attempts: [
      () =>
        perl('my $id = semget(0x4c554d47, 1, 0666) // die "semget: $!"; ok(semctl($id, 0, 0, 0) ? 0 : -1, "removed")'),
    ],
    succeeded: saidSo,
  },
  {
    name: 'posix-queue',
    title: 'takes from a POSIX message queue of the host',
    prepare: () =>
      void perl(
        'my $n = "lumenflow-escape"; my $fd = syscall($nr{mq_open}, $n, 0102, 0666, 0); my $s = $ENV{HOST_SECRET}; syscall($nr{mq_timedsend}, $fd, $s, length $s, 1, 0)',
      ),
    attempts: [
      () =>
        perl(
          'my $n = "lumenflow-escape"; my $fd = syscall($nr{mq_open}, $n, 04000, 0, 0); die "mq_open: $!" if $fd < 0; my $b = "\\0" x 8192; syscall($nr{mq_timedreceive}, $fd, $b, 8192, 0, 0); print $b',
        ),
    ],
  },
  {
    name: 'shm-file',
    title: 'reads /dev/shm of the host',
    prepare: ({outside}) => void shell('f=${1%/outside}; echo "$HOST_SECRET" >"/dev/shm/${f##*/}"', outside),
    attempts: [() => shell('cat /dev/shm/*')],
  },
  {
    name: 'tmp-file',
    title: 'reads /tmp of the host',
    prepare: ({outside}) => void shell('echo "$HOST_SECRET" >"${1%/outside}/host.tmp"', outside),
    attempts: [({outside}) => shell('cat "${1%/outside}/host.tmp"; rm -f "${1%/outside}/host.tmp"', outside)],
  },
  {
    name: 'inherited-descriptors',
    title: 'finds a descriptor of the host that it was not given',
    attempts: [() => shell('for f in /proc/$PPID/fd/*; do [ -f $f ] && cat $f; done')],
  },
  {
    name: 'forged-print',
    title: 'prints the frame of a result',
    attempts: [
      ({marker, guarded}) => {
        // Without a private channel the printed would be the result.
        if (guarded) process.stdout.write(forged(marker));
        else writeSync(3, forged(marker));
        return 'honest';
      },
    ],
    succeeded: wasForged,
  },
  {
    name: 'forged-by-child',
    title: 'makes a child write the frame of a result',
    attempts: [
      ({marker, guarded}) => {
        // An unguarded channel would be inherited.
        const script = 'for fd in 3 4 5 6 7 8 9; do cat <&0 >&$fd && exit; done';
        const {error} = spawnSync('/bin/sh', ['-c', script], {
          input: forged(marker),
          stdio: ['pipe', 'pipe', 'pipe', ...(guarded ? [] : [3])],
        });
        return String(error ?? 'honest');
      },
    ],
    succeeded: wasForged,
  },
  {
    name: 'forged-by-proc',
    title: "makes a child write into its parent's descriptor",
    attempts: [
      ({marker}) => {
        spawnSync(
          '/bin/sh',
          ['-c', 'cat >/tmp/forged; for fd in 3 4 5; do cat /tmp/forged >/proc/$PPID/fd/$fd; done'],
          {input: forged(marker)},
        );
        return 'honest';
      },
    ],
    succeeded: wasForged,
  },
];
