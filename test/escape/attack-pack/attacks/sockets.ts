// AF_UNIX: a socket of a program of the host that lies in a granted folder.
import {spawn} from 'node:child_process';
import {join} from 'node:path';
import {type Attack, type Setting} from '../attack.ts';
import {perl, shell} from '../native/run-program.ts';

const socketOf = ({root}: Setting): string => join(root, 'work/host.sock');
const sentTo = ({outside}: Setting): string => join(outside, 'sent');

/** Writes what it is sent into a file, until it is sent something or eight seconds are over. */
function listen(setting: Setting): void {
  const script =
    'alarm 8; socket(my $s, AF_UNIX, SOCK_DGRAM, 0) or die; bind($s, pack_sockaddr_un($ARGV[0])) or die; chmod 0777, $ARGV[0]; recv($s, my $b, 1000, 0); open(my $f, ">", $ARGV[1]); print $f $b';
  spawn('/usr/bin/perl', ['-e', `use Socket; ${script}`, socketOf(setting), sentTo(setting)], {
    detached: true,
    stdio: 'ignore',
  }).unref();
  shell('for i in 1 2 3 4 5 6 7 8 9 10; do [ -S "$1" ] && exit; sleep 0.1; done', socketOf(setting));
}

export const socketAttacks: readonly Attack[] = [
  {
    name: 'datagram-pair',
    title: "sends to a host's socket in the workspace, by a pair of datagram sockets",
    prepare: listen,
    attempts: [
      (setting) =>
        perl(
          'socketpair(my $a, my $b, AF_UNIX, SOCK_DGRAM, 0) or die "socketpair: $!"; send($a, $ARGV[1], 0, pack_sockaddr_un($ARGV[0])) or die "send: $!"; print "sent"',
          socketOf(setting),
          setting.marker,
        ),
    ],
    settleMs: 300,
    succeeded: ({setting, read}) => read(sentTo(setting))?.includes(setting.marker) === true,
  },
  {
    name: 'socket-file',
    title: "sees a host's socket in the workspace",
    prepare: listen,
    attempts: [(setting) => shell('[ -S "$1" ] && echo "$2"', socketOf(setting), setting.marker)],
    succeeded: ({setting, said}) => said.includes(setting.marker),
  },
];
