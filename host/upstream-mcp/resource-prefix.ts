// What comes before the server's own address of a resource, so that resources of two servers cannot have the same address.
export function resourcePrefix(pack: string): string {
  return `upstream://${pack}/`;
}
