// Whether others could read the credentials that are sent to an address: it is neither encrypted nor on this machine.

export function isSentInClear(address: string): boolean {
  const {protocol, hostname} = new URL(address);
  return protocol === 'http:' && !/^(?:127\.\d+\.\d+\.\d+|\[::1\])$/u.test(hostname);
}
