// Processes: those of the host and of other calls, seen, read, steered, ended; and what stays after a call.
import {saidSo, type Attack, type Outside} from '../attack.ts';
import {perl, shell} from '../native/run-program.ts';

const victimEnded = ({setting, isAlive}: Outside): boolean => !isAlive(setting.victimPid);
const stayed = ({leftovers}: Outside): boolean => leftovers().length > 0;

const against = (name: string, title: string, script: string, succeeded: Attack['succeeded'] = saidSo): Attack => ({
  name,
  title,
  attempts: [({victimPid, hostPid, marker}) => perl(script, victimPid, hostPid, marker)],
  succeeded,
});

/** The name and the start of a process from its `stat`: a namespace changes its number, and not these. */
function startOf(stat: string): string | undefined {
  const [, name, rest = ''] = /\((.*)\) (.*)/su.exec(stat) ?? [];
  return name === undefined ? undefined : `${name} ${rest.split(' ')[19]}`;
}

/** A daemon that shows the marker in its command line and does nothing. */
const daemon = `exec perl -e 'sleep 120' "$1"`;

const stays = (name: string, title: string, script: string): Attack => ({
  name,
  title,
  attempts: [({marker}) => shell(script, marker)],
  succeeded: stayed,
  settleMs: 700,
});

// The attacker's own terminal is equivalent for the kernel: success is that the system call is allowed.
const terminal = `use POSIX; sysopen(my $m, '/dev/ptmx', O_RDWR | 0400) or die "ptmx: $!"; my $n = pack('i', 0);
ioctl($m, 0x80045430, $n) or die "pty: $!"; my $u = pack('i', 0); ioctl($m, 0x40045431, $u);
my $pid = fork(); if (!$pid) { POSIX::setsid(); sysopen(my $s, '/dev/pts/' . unpack('i', $n), O_RDWR) or die "pts: $!"; ioctl($s, 0x540E, 0);
my $c = 'x'; ok(ioctl($s, 0x5412, $c) ? 0 : -1, 'TIOCSTI'); exit } waitpid($pid, 0);`;

export const processAttacks: readonly Attack[] = [
  against('kill', 'kills another process of the user', 'ok(kill("KILL", $ARGV[0]) ? 0 : -1, "kill")', victimEnded),
  against(
    'kill-group',
    "kills the host's process group",
    'ok(kill("-KILL", getpgrp($ARGV[0])) ? 0 : -1, "kill")',
    victimEnded,
  ),
  against('kill-all', 'kills all it can: kill -1', 'ok(kill("KILL", -1) ? 0 : -1, "kill")', victimEnded),
  against(
    'kill-host',
    'kills the host',
    'kill("KILL", $ARGV[1]) or die $!; sleep 5',
    ({isAlive, setting}) => !isAlive(setting.hostPid),
  ),
  against('stop', 'stops another process', 'ok(kill("STOP", $ARGV[0]) ? 0 : -1, "stop")'),
  against(
    'kill-by-pidfd',
    'kills another process by a pidfd',
    'my $fd = syscall($nr{pidfd_open}, $ARGV[0]+0, 0); die $! if $fd < 0; ok(syscall($nr{pidfd_send_signal}, $fd, 9, 0, 0), "kill")',
    victimEnded,
  ),
  against(
    'kill-seen',
    'kills every process that /proc shows, but its own',
    'my ($me, $up) = ($$, getppid()); for (glob "/proc/[0-9]*") { my ($p) = /(\\d+)/; my $n = `cat /proc/$p/comm 2>/dev/null`; kill("KILL", $p) if $n eq "sleep\\n" }',
    victimEnded,
  ),
  against('ptrace', 'attaches to another process', 'ok(syscall($nr{ptrace}, 16, $ARGV[0]+0, 0, 0), "attach")'),
  against(
    'ptrace-host',
    'attaches to the host',
    'ok(syscall($nr{ptrace}, 16, $ARGV[1]+0, 0, 0), "attach"); syscall($nr{ptrace}, 17, $ARGV[1]+0, 0, 0)',
  ),
  against(
    'read-memory',
    "reads another process's memory: process_vm_readv",
    'my ($a) = `cat /proc/$ARGV[0]/maps` =~ /^([0-9a-f]+)/ or die "no maps"; my $buf = "\\0" x 16; my $l = pack("P Q", $buf, 16); my $r = pack("Q Q", hex $a, 16); ok(syscall($nr{process_vm_readv}, $ARGV[0]+0, $l, 1, $r, 1, 0), "read")',
  ),
  against(
    'write-memory',
    "writes another process's memory: process_vm_writev",
    'my ($a) = grep { / rw-p .*stack/ } `cat /proc/$ARGV[0]/maps` or die "no maps"; $a =~ /^([0-9a-f]+)/; my $buf = "\\0" x 4; my $l = pack("P Q", $buf, 4); my $r = pack("Q Q", hex $1, 4); ok(syscall($nr{process_vm_writev}, $ARGV[0]+0, $l, 1, $r, 1, 0), "write")',
  ),
  against(
    'open-memory',
    "opens the host's /proc/PID/mem for writing",
    'ok(sysopen(my $f, "/proc/$ARGV[1]/mem", O_RDWR) ? 0 : -1, "open")',
  ),
  against(
    'pidfd-getfd',
    'takes a descriptor out of the host',
    'my $fd = syscall($nr{pidfd_open}, $ARGV[1]+0, 0); die $! if $fd < 0; ok(syscall($nr{pidfd_getfd}, $fd, 1, 0), "getfd")',
  ),
  against(
    'fd-of-host',
    "opens the host's descriptors by /proc/PID/fd",
    'for (glob "/proc/$ARGV[1]/fd/*") { ok(sysopen(my $f, $_, O_RDONLY | O_NONBLOCK) ? 0 : -1, $_) }',
  ),
  against(
    'setns',
    "enters the host's namespaces",
    'for my $n (qw(mnt net ipc uts pid)) { open(my $f, "<", "/proc/$ARGV[1]/ns/$n") or next; ok(syscall($nr{setns}, fileno($f), 0), $n) }',
  ),
  against(
    'setns-init',
    'enters the namespaces of process 1 with nsenter(1)',
    'print `nsenter -t 1 -m -u -n -i cat /proc/$ARGV[0]/comm`',
    ({said}) => said.includes('sleep'),
  ),
  against(
    'renice',
    'lowers the priority of another process',
    'ok(syscall($nr{setpriority}, 0, $ARGV[0]+0, 19), "renice")',
  ),
  against(
    'set-limits',
    "sets another process's limits",
    'my $l = pack("Q2", 64, 64); ok(syscall($nr{prlimit64}, $ARGV[0]+0, 7, $l, 0), "prlimit")',
  ),
  against(
    'set-affinity',
    'binds another process to a CPU',
    'my $m = pack("Q", 1); ok(syscall($nr{sched_setaffinity}, $ARGV[0]+0, 8, $m), "affinity")',
  ),
  against(
    'oom-score',
    'makes the host the first to die when memory is short',
    'open(my $f, ">", "/proc/$ARGV[1]/oom_score_adj") or die $!; ok(syswrite($f, "1\\n") ? 0 : -1, "oom"); sysseek($f, 0, 0); syswrite($f, "0\\n")',
  ),
  against('see-processes', "sees the host's processes", 'print `cat /proc/*/stat`', ({said, setting, read}) => {
    const victim = startOf(read(`/proc/${setting.victimPid}/stat`) ?? '');
    return victim !== undefined && said.split('\n').some((stat) => startOf(stat) === victim);
  }),
  against(
    'compare',
    'compares kernel objects with another process: kcmp',
    'ok(syscall($nr{kcmp}, $ARGV[0]+0, $ARGV[1]+0, 0, 0, 0), "kcmp")',
  ),
  stays(
    'daemon-setsid',
    'leaves a daemon in a new session',
    `setsid sh -c '${daemon.replaceAll("'", `'\\''`)}' sh "$1" >/dev/null 2>&1 & sleep 0.1`,
  ),
  stays(
    'daemon-double-fork',
    'leaves a daemon by forking twice',
    `perl -e 'use POSIX; fork and exit; POSIX::setsid(); fork and exit; close $_ for *STDIN, *STDOUT, *STDERR; sleep 120' "$1"; sleep 0.1`,
  ),
  stays(
    'daemon-deaf',
    'leaves a daemon that ignores every signal it can',
    `perl -e '$SIG{$_} = "IGNORE" for grep { !/^(KILL|STOP|CHLD)$/ } keys %SIG; $SIG{$_} = "IGNORE" for qw(TERM HUP INT PIPE QUIT ALRM); use POSIX; fork and exit; POSIX::setsid(); close $_ for *STDIN, *STDOUT, *STDERR; sleep 120' "$1"; sleep 0.1`,
  ),
  stays(
    'daemon-holding-pipe',
    'leaves a daemon that keeps the output pipe open',
    `perl -e 'use POSIX; fork and exit; POSIX::setsid(); sleep 120' "$1" & sleep 0.2`,
  ),
  {
    name: 'terminal-injection',
    title: "types into the terminal of the host's user: TIOCSTI",
    attempts: [() => perl(terminal)],
    succeeded: saidSo,
  },
];
