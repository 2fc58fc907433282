// How a tool is called over MCP. Many clients take only letters, digits, `-` and `_`, at most 64, and most servers write
// `read_file`; so `:` is spelled `_`, and so is each `-` of the verb. No tool's name has a `_` of its own and a domain has
// no `:`, so the spelling can be reversed and is no longer than the name.

/** `file:read-all` as `file_read_all`; a bare verb as it is. */
export function toMcpName(name: string): string {
  const [domain = '', verb] = name.split(':', 2);
  return verb === undefined ? domain : `${domain}_${verb.replaceAll('-', '_')}`;
}

/** `file_read_all` as `file:read-all`; what is no spelling of a tool stays a name that no tool has. */
export function fromMcpName(spelling: string): string {
  const [domain = '', ...words] = spelling.split('_');
  const name = words.length === 0 ? domain : `${domain}:${words.join('-')}`;
  return toMcpName(name) === spelling ? name : `${spelling}_`;
}
