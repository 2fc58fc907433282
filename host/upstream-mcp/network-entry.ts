// The allowlist entry for a server that is reached over HTTP: its host and port, and nothing else.
export function networkEntry(url: string): string {
  const {hostname, port, protocol} = new URL(url);
  return `${hostname}:${port === '' ? (protocol === 'http:' ? 80 : 443) : port}`;
}
