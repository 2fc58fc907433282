// Where syslog messages go: `udp://host:514`, `tcp://host:601` or `tls://host:6514`.

export interface SyslogAddress {
  readonly transport: 'udp' | 'tcp' | 'tls';
  readonly host: string;
  readonly port: number;
}

const usualPorts = {udp: 514, tcp: 601, tls: 6514} as const;

/** Undefined if the text is not such an address. */
export function syslogAddressOf(text: string): SyslogAddress | undefined {
  // Node parses addresses with unknown schemes loosely, so they get a known one.
  const [, transport, rest = ''] = /^(udp|tcp|tls):\/\/([^/?#@]+)\/?$/u.exec(text) ?? [];
  if (transport === undefined || !URL.canParse(`http://${rest}`)) return undefined;
  const {hostname, port} = new URL(`http://${rest}`);
  const known = transport as SyslogAddress['transport'];
  // `http` hides its own port.
  const given = port === '' && rest.endsWith(':80') ? '80' : port;
  return {
    transport: known,
    host: hostname.replace(/^\[|\]$/gu, ''),
    port: given === '' ? usualPorts[known] : Number(given),
  };
}
