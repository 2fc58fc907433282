// Environment: secrets of the host in environments and command lines.
import type {Attack} from '../attack.ts';
import {shell} from '../native/run-program.ts';

const look = (name: string, title: string, script: string, tool?: Attack['tool']): Attack => ({
  name,
  title,
  attempts: [({hostPid, victimPid}) => shell(script, hostPid, victimPid)],
  ...(tool && {tool}),
});

export const environmentAttacks: readonly Attack[] = [
  look('host-environ', "reads the host's /proc/PID/environ", 'cat /proc/$1/environ'),
  look('init-environ', 'reads /proc/1/environ', 'cat /proc/1/environ'),
  look(
    'parent-environ',
    "reads its parent's environment",
    'cat /proc/$PPID/environ; cat /proc/$(cut -d" " -f4 /proc/$PPID/stat)/environ',
  ),
  look('victim-environ', "reads another process's environment", 'cat /proc/$2/environ'),
  look(
    'all-environs',
    'reads every environment that /proc shows',
    'cat /proc/[0-9]*/environ /proc/[0-9]*/task/*/environ',
  ),
  {
    name: 'command-lines',
    title: "reads the host's command lines",
    attempts: [() => shell('cat /proc/[0-9]*/cmdline | tr "\\0" "\\n"')],
    succeeded: ({said}) => said.includes('stage-program'),
  },
  {
    name: 'environ-with-own',
    title: 'reads the variables of the host through its own variable',
    tool: 'try-with-env',
    attempts: [({hostPid}) => shell('cat /proc/$1/environ /proc/1/environ', hostPid)],
  },
  {
    name: 'host-memory',
    title: "searches the host's memory for its environment",
    attempts: [
      ({hostPid}) =>
        shell(
          `perl -e 'open(my $m, "<", "/proc/$ARGV[0]/maps") or die "maps: $!"; open(my $f, "<", "/proc/$ARGV[0]/mem") or die "mem: $!";
           for (<$m>) { /^([0-9a-f]+)-([0-9a-f]+) .*stack/ or next; sysseek($f, hex $1, 0); sysread($f, my $b, hex($2) - hex($1)); print $b =~ /(secret-[0-9a-f]{32})/ }' "$1"`,
          hostPid,
        ),
    ],
  },
];
