// Tool names over MCP. Many clients accept only letters, digits, `-` and `_`, at most 64, and most servers write `read_file`.
// So `_` encodes `:` and each `-` of the verb. The name itself contains no `_` and the domain no `:`. The encoding is
// therefore reversible, and no longer than the name.

/** `file:read-all` as `file_read_all`; a bare verb as it is. */
export function toMcpName(name: string): string {
  const [domain = '', verb] = name.split(':', 2);
  return verb === undefined ? domain : `${domain}_${verb.replaceAll('-', '_')}`;
}

/** `file_read_all` as `file:read-all`; any other text stays a name that no tool has. */
export function fromMcpName(spelling: string): string {
  const [domain = '', ...words] = spelling.split('_');
  const name = words.length === 0 ? domain : `${domain}:${words.join('-')}`;
  return toMcpName(name) === spelling ? name : `${spelling}_`;
}
