// Files of /etc that every sandbox reads at their own paths.

/** Read by programs at start. None contains a secret; each costs a mount. */
export const systemFiles: readonly string[] = ['/etc/ld.so.cache', '/etc/alternatives', '/etc/localtime'];
/** Read by programs that use the network. */
export const networkFiles: readonly string[] = [
  '/etc/gai.conf',
  '/etc/services',
  // Not their parents, which also contain private keys.
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
  '/etc/pki/tls/certs',
  '/etc/pki/ca-trust',
  '/etc/crypto-policies',
];
