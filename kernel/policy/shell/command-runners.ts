// Programs that run what their words, options or input name.

/** They run a command that follows somewhere in their words, or is one of their words. */
export const runners: ReadonlySet<string> = new Set(
  (
    'builtin busybox chroot chrt command coreutils dbus-run-session doas docker dumb-init entr env eval exec fakeroot fd find firejail ' +
    'flock gosu i386 ionice kubectl linux32 linux64 ltrace make nerdctl nice nohup npx nsenter numactl parallel pkexec podman proot ' +
    'prlimit rsh run-parts runuser script setarch setpriv setsid sg ssh start-stop-daemon stdbuf strace su su-exec sudo systemd-run ' +
    'taskset time timeout tini toybox trap unbuffer unshare valgrind watch xargs xvfb-run'
  ).split(' '),
);
export const builtinRunners: ReadonlySet<string> = new Set(['builtin', 'command', 'eval', 'trap']);
/** They give words to a shell, which expands patterns of files in them. */
export const evaluators: ReadonlySet<string> = new Set(
  'eval flock parallel runuser script sg ssh su trap watch'.split(' '),
);
/** They also read commands from files and from their input. */
export const shells: ReadonlySet<string> = new Set(
  'ash bash csh dash elvish fish ksh mksh nu oksh posh rbash sash sh tcsh xonsh yash zsh'.split(' '),
);
/** Without versions in their names. */
export const interpreters: ReadonlySet<string> = new Set(
  'bun deno lua node nodejs osascript perl php powershell pwsh pypy python ruby tclsh'.split(' '),
);
/** Builtins that run code from files, or from words that only a shell reads, or change what names mean. */
export const openers: ReadonlySet<string> = new Set(
  '. source alias compgen enable hash let mapfile readarray'.split(' '),
);
/** Builtins that evaluate the substitutions in the index of an array, also within quotes. */
export const indexers: ReadonlySet<string> = new Set(
  '[ declare local printf read readonly test typeset wait'.split(' '),
);
/** How many words that are not options they need: with fewer, they start a shell, which reads its input. */
export const shellsWithout: ReadonlyMap<string, number> = new Map([
  ['chroot', 2],
  ['doas', 1],
  ['fakeroot', 1],
  ['firejail', 1],
  ['nsenter', 1],
  ['proot', 1],
  ['script', 1],
  ['ssh', 2],
  ['sudo', 1],
  ['unshare', 1],
]);
