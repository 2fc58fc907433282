// Processes: system calls that reach into the kernel, and the ways back to privilege. That the kernel let one is its success.
import {saidSo, type Attack} from '../attack.ts';
import {perl, shell} from '../native/run-program.ts';

const asked = (name: string, title: string, script: string): Attack => ({
  name,
  title,
  attempts: [() => perl(script)],
  succeeded: saidSo,
});

export const kernelAttacks: readonly Attack[] = [
  asked(
    'io-uring',
    'sets up io_uring, whose calls no filter sees',
    'my $p = "\\0" x 120; ok(syscall($nr{io_uring_setup}, 4, $p), "io_uring")',
  ),
  asked('bpf', 'makes a BPF map', 'my $a = pack("L4 x104", 2, 4, 4, 1); ok(syscall($nr{bpf}, 0, $a, 120), "bpf")'),
  asked(
    'perf-event',
    'opens a performance counter',
    'my $a = pack("L L Q x104", 1, 120, 0); substr($a, 40, 8) = pack("Q", 0x60); ok(syscall($nr{perf_event_open}, $a, 0, -1, -1, 0), "perf")',
  ),
  asked('userfaultfd', 'opens a userfaultfd', 'ok(syscall($nr{userfaultfd}, 1), "userfaultfd")'),
  asked(
    'key-ring',
    "adds a key to the user's key ring",
    'my ($t, $d, $v) = ("user", "lumenflow-escape", "x"); ok(syscall($nr{add_key}, $t, $d, $v, 1, -4), "add_key")',
  ),
  asked('key-search', 'joins a session key ring', 'ok(syscall($nr{keyctl}, 1, 0), "keyctl")'),
  asked(
    'kernel-log',
    "reads the kernel's log",
    'my $b = "\\0" x 4096; ok(syscall($nr{syslog}, 3, $b, 4096), "syslog")',
  ),
  asked(
    'hostname',
    "changes the machine's name",
    'my $n = "escaped"; ok(syscall($nr{sethostname}, $n, 7), "sethostname")',
  ),
  asked(
    'module',
    'loads a kernel module',
    'my ($b, $n) = ("", ""); my $r = syscall($nr{init_module}, $b, 0, $n); ok($r == -1 && $!{ENOEXEC} ? 0 : $r, "init_module")',
  ),
  asked('kexec', 'loads another kernel', 'ok(syscall($nr{kexec_load}, 0, 0, 0, 0), "kexec_load")'),
  asked(
    'reboot-call',
    'is let into reboot(2): turns Ctrl-Alt-Del on',
    'ok(syscall($nr{reboot}, 0xfee1dead, 672274793, 0x89abcdef, 0), "reboot")',
  ),
  asked(
    'swap',
    'is let into swapon(2)',
    'my $p = "/dev/null"; my $r = syscall($nr{swapon}, $p, 0); ok($r == -1 && $!{EINVAL} ? 0 : $r, "swapon")',
  ),
  {
    name: 'kernel-files',
    title: "reads the kernel's lists: keys, timers, command line",
    attempts: [
      () =>
        shell(
          'cat /proc/cmdline; for f in keys key-users config.gz timer_list slabinfo vmallocinfo kallsyms modules interrupts; do [ -n "$(head -c 1 /proc/$f 2>/dev/null | od -An -tx1)" ] && echo "did it: $f"; done',
        ),
    ],
    // A kernel other than the host's has a command line of its own.
    succeeded(outside) {
      const commandLine = outside.read('/proc/cmdline')?.trim() ?? '';
      return saidSo(outside) || (commandLine !== '' && outside.said.includes(commandLine));
    },
  },
  {
    name: 'setuid-root',
    title: 'becomes root: setuid(0)',
    attempts: [
      () =>
        perl('$> = 0; $< = 0; my $n = "/proc/sys/vm/swappiness"; ok(sysopen(my $f, $n, O_WRONLY) ? 0 : -1, "as root")'),
    ],
    succeeded: saidSo,
  },
  {
    name: 'setuid-program',
    title: 'becomes root by a setuid program: su, sudo',
    attempts: [
      () =>
        shell(
          'su -c "cat /proc/sys/kernel/cad_pid /etc/shadow" 2>&1 | grep ^root: && echo "did it"; sudo -n id 2>&1 | grep uid=0 && echo "did it"',
        ),
    ],
    succeeded: saidSo,
  },
  {
    name: 'capabilities',
    title: 'has any capability',
    attempts: [
      () => shell('grep -E "^Cap(Eff|Prm|Inh|Amb)" /proc/self/status | grep -v 0000000000000000$ && echo "did it"'),
    ],
    succeeded: saidSo,
  },
  {
    name: 'new-privileges',
    title: 'may gain privileges by execve',
    attempts: [() => shell('grep -E "^NoNewPrivs:.*0$" /proc/self/status && echo "did it"')],
    succeeded: saidSo,
  },
  {
    name: 'any-filter',
    title: 'runs without a system call filter',
    attempts: [() => shell('grep -E "^Seccomp:.*0$" /proc/self/status && echo "did it"')],
    succeeded: saidSo,
  },
];
