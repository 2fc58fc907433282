// What every program needs to start on macOS, without any user data. Terminals, devices, other processes, Apple events and other
// services are left to the default, which denies.
import {literal, quoted, subpath, type Rule} from './sbpl-text.ts';

const systemTrees: readonly string[] = [
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/usr/libexec',
  '/usr/share',
  '/System/Library',
  '/System/Cryptexes',
  '/System/Volumes/Preboot/Cryptexes',
  '/Library/Apple',
  // The targets of the system commands `git`, `cc` and `python3`.
  '/Library/Developer/CommandLineTools',
  '/Applications/Xcode.app',
  // Homebrew and its like, without their `etc` and `var`, which contain settings and data.
  ...['/usr/local', '/opt/homebrew'].flatMap((prefix) =>
    ['bin', 'sbin', 'lib', 'libexec', 'share', 'include', 'opt', 'Cellar', 'Frameworks'].map(
      (folder) => `${prefix}/${folder}`,
    ),
  ),
  '/private/etc/ssl',
  '/private/var/db/timezone',
  '/private/var/db/dyld',
  '/private/var/select',
];

const systemFiles: readonly string[] = [
  // Programs read the root itself, and through these symlinks in it.
  '/',
  '/etc',
  '/tmp',
  '/var',
  '/private/etc/hosts',
  '/private/etc/localtime',
  '/private/etc/passwd',
  '/private/etc/group',
  '/private/etc/protocols',
  '/private/etc/services',
  '/private/etc/shells',
  '/private/var/db/xcode_select_link',
  '/dev/null',
  '/dev/zero',
  '/dev/random',
  '/dev/urandom',
];

/** Users and groups by number; the announcement of changed settings. */
const services: readonly string[] = [
  'com.apple.system.opendirectoryd.libinfo',
  'com.apple.system.opendirectoryd.membership',
  'com.apple.system.notification_center',
];

/** What the processor and the system are; nothing of processes. */
const kernelFacts: readonly string[] = [
  '(sysctl-name-prefix "hw.")',
  '(sysctl-name-prefix "machdep.cpu.")',
  '(sysctl-name-prefix "kern.os")',
  ...[
    'kern.argmax',
    'kern.bootargs',
    'kern.hostname',
    'kern.maxfilesperproc',
    'kern.maxproc',
    'kern.secure_kernel',
    'kern.usrstack64',
    'kern.version',
    'sysctl.proc_cputype',
    'vm.loadavg',
  ].map((name) => `(sysctl-name ${quoted(name)})`),
];

export const readingOperations: readonly string[] = ['file-read*', 'file-map-executable', 'process-exec*'];

export const systemRules: readonly Rule[] = [
  {action: 'allow', operations: ['process-fork'], filters: []},
  {action: 'allow', operations: ['signal', 'process-info*'], filters: ['(target same-sandbox)']},
  {action: 'allow', operations: ['sysctl-read'], filters: kernelFacts},
  {action: 'allow', operations: ['mach-lookup'], filters: services.map((name) => `(global-name ${quoted(name)})`)},
  {
    action: 'allow',
    operations: ['ipc-posix-shm-read-data'],
    filters: ['(ipc-posix-name "apple.shm.notification_center")'],
  },
  {
    action: 'allow',
    operations: readingOperations,
    filters: [...systemTrees.map(subpath), ...systemFiles.map(literal)],
  },
  {action: 'allow', operations: ['file-write-data'], filters: [literal('/dev/null'), literal('/dev/zero')]},
];
