// Texts for MCP clients. The kernel and the packs write `file:read`; the client knows the tool as `file_read`.
import {toMcpName} from './tool-name.ts';

/** The names of a workspace's tools. */
export interface ToolNames {
  has(name: string): boolean;
}

/** A code span, or a name outside of one. */
const spanOrName = /`(?<span>[^`]*)`|(?<![\w:./-])[a-z][\da-z-]*:[a-z][\da-z-]*(?![\w:-])/gu;

/** Code that only mentions a tool, such as a command for the terminal, stays as it is. */
export function clientText(text: string, names: ToolNames): string {
  return text.replaceAll(spanOrName, (found, span: string | undefined) => {
    const name = span ?? found;
    return names.has(name) ? found.replace(name, toMcpName(name)) : found;
  });
}

/** All texts in a JSON value. */
export function clientTexts<T>(value: T, names: ToolNames): T {
  return inside(value) as T;

  function inside(part: unknown): unknown {
    if (typeof part === 'string') return clientText(part, names);
    if (Array.isArray(part)) return part.map(inside);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, inside(each)]));
  }
}
