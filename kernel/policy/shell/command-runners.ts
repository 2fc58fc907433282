// Programs that run what their words, options or input name.

/** They run a command that follows somewhere in their words, or is one of their words. */
export const runners: ReadonlySet<string> = new Set(
  (
    'aa-exec alacritty asdf autossh builtin buildah busybox bwrap caffeinate capsh catatonit catchsegv cgexec chpst chroot chronic chrt cmd ' +
    'cmd.exe command coreutils cpulimit daemon daemonize dbus-launch dbus-run-session distrobox doas docker docker-compose dumb-init ' +
    'eatmydata entr env envdir envuidgid eval exec execlineb fakechroot faketime fakeroot fd fdfind find firejail flatpak flatpak-spawn flock ' +
    'foot gnome-terminal gosu hyperfine i386 ifne ionice kitty konsole kubectl lckdo linux32 linux64 logsave ltrace machinectl make mosh ' +
    'nerdctl nice nohup npx nsenter numactl operf parallel pee perf pkexec pnpx podman proot prlimit proxychains proxychains4 rlwrap rr rsh ' +
    'run-parts runcon runuser s6-setuidgid script setarch setpriv setsid setuidgid sg slogin softlimit ssh ssh-agent sshpass ' +
    'start-stop-daemon startx stdbuf strace su su-exec sudo systemd-cat systemd-inhibit systemd-nspawn systemd-run taskset tcpserver tcpsvd ' +
    'time timeout tini toolbox torify torsocks toybox trap tsocks udpsvd uname26 unbuffer unshare urxvt valgrind watch watchexec ' +
    'with-contenv wsl x-terminal-emulator x86_64 xargs xinit xterm xvfb-run'
  ).split(' '),
);
export const builtinRunners: ReadonlySet<string> = new Set(['builtin', 'command', 'eval', 'trap']);
/** They give words to a shell, which expands patterns of files in them. */
export const evaluators: ReadonlySet<string> = new Set(
  'eval flock parallel runuser script sg ssh su trap watch'.split(' '),
);
/** They join words to the line that is run. */
export const joiners: ReadonlySet<string> = new Set(
  'autossh eval hyperfine mosh pee rsh script slogin ssh sshpass watch'.split(' '),
);
/** They also read commands from files and from their input. */
const shells: ReadonlySet<string> = new Set(
  (
    'ash bash csh dash elvish es fish gash hush ion jsh ksh lksh mksh murex nu oksh osh pdksh posh psh rbash rc sash scsh sh sh.distrib tcsh ' +
    'xonsh yash ysh zsh'
  ).split(' '),
);
/** Without versions in their names. */
const interpreters: ReadonlySet<string> = new Set(
  (
    'bun clisp csi deno ecl elixir erl gforth ghci groovy gst guile iex ipython irb jrunscript jshell julia kotlin lua luajit node nodejs ' +
    'ocaml osascript perl php php-cgi powershell pwsh pypy python racket raku ruby sbcl scala tclsh ts-node tsx wish'
  ).split(' '),
);
/** Also with a version in its name. */
export function isShell(name: string): boolean {
  return shells.has(name) || (endsInVariant(name) && shells.has(name.replace(/[\d.]+$|-static$/u, '')));
}
export function isInterpreter(name: string): boolean {
  return interpreters.has(name) || (endsInVariant(name) && interpreters.has(name.replace(/[\d.]+$/u, '')));
}
/** A cheap check before the regular expression: rules inspect every call. */
function endsInVariant(name: string): boolean {
  const last = name.charCodeAt(name.length - 1);
  return (last >= 46 && last <= 57) || (last === 99 && name.endsWith('-static'));
}
export function isRunner(name: string): boolean {
  return runners.has(name) || isShell(name) || isInterpreter(name);
}
/** Builtins that run code from files, or from words that only a shell reads, or change what names mean. */
export const openers: ReadonlySet<string> = new Set(
  '. source alias bind compgen complete enable fc hash let mapfile readarray'.split(' '),
);
/** Builtins that evaluate the substitutions in the index of an array, also within quotes. */
export const indexers: ReadonlySet<string> = new Set(
  '[ declare export local printf read readonly test typeset unset wait'.split(' '),
);
/** How many words that are not options they need: with fewer, they start a shell, which reads its input. */
export const shellsWithout: ReadonlyMap<string, number> = new Map([
  ['chroot', 2],
  ['doas', 1],
  ['fakeroot', 1],
  ['firejail', 1],
  ['nsenter', 1],
  ['proot', 1],
  ['slogin', 2],
  ['ssh', 2],
  ['sudo', 1],
  ['unshare', 1],
]);
