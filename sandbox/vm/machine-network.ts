// The network of a machine. For each connection of the guest, QEMU makes one in the network namespace of the call. What the guest may
// reach is decided there, as for every program in such a namespace.

/** Addresses of one link for protocols, which no host has on the internet (RFC 6890). */
export const machineNetwork = {
  ipv4: {net: '192.0.0.0/29', gateway: '192.0.0.1', nameserver: '192.0.0.2', guest: '192.0.0.3/29'},
  ipv6: {
    net: 'fd00:6c66:ffff::/64',
    gateway: 'fd00:6c66:ffff::1',
    nameserver: 'fd00:6c66:ffff::2',
    guest: 'fd00:6c66:ffff::3/64',
  },
} as const;

/** The variable of the kernel's command line that a guest with a network card gets. */
export const networkVariable = 'lumenflow_network';

export function networkOptions(): readonly string[] {
  const {ipv4, ipv6} = machineNetwork;
  const addresses = [
    `net=${ipv4.net},host=${ipv4.gateway},dns=${ipv4.nameserver},dhcpstart=${ipv4.guest.split('/')[0]}`,
    `ipv6-net=${ipv6.net},ipv6-host=${ipv6.gateway},ipv6-dns=${ipv6.nameserver}`,
  ];
  return ['-netdev', ['user', 'id=network', ...addresses].join(','), '-device', 'virtio-net-device,netdev=network'];
}

/** For the shell of a guest that has a card; `$b` is busybox. */
export function networkSetUp(): string {
  const {ipv4, ipv6} = machineNetwork;
  return [
    '$b ip link set lo up',
    '$b ip link set eth0 up',
    `$b ip addr add ${ipv4.guest} dev eth0`,
    `$b ip route add default via ${ipv4.gateway}`,
    `$b ip -6 addr add ${ipv6.guest} dev eth0`,
    `$b ip -6 route add default via ${ipv6.gateway}`,
  ].join('\n  ');
}
