// How a tool is called over MCP. Many clients take only letters, digits, `-` and `_`, at most 64, so `:` is spelled `_`.
// No tool's name has a `_` of its own, so the spelling can be reversed and is no longer than the name.

/** `file:read` as `file_read`. */
export function toMcpName(name: string): string {
  return name.replace(':', '_');
}

/** `file_read` as `file:read`; what is no spelling of a tool stays a name that no tool has. */
export function fromMcpName(spelling: string): string {
  return spelling.includes(':') ? `${spelling}_` : spelling.replace('_', ':');
}
