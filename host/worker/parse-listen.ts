/** `HOST:PORT`; undefined if it is not that. */
export function parseListen(text: string): {readonly host: string; readonly port: number} | undefined {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  return host === undefined || Number(port) > 65_535 ? undefined : {host, port: Number(port)};
}
