// What the kernel says about tools, as JSON for a client. Patterns and remedies keep the names that workspace.yaml uses.
import {clientText, type ToolNames} from '../client-text.ts';

const worded: ReadonlySet<string> = new Set(['tool_name', 'reason']);

export function clientView(view: object, names: ToolNames): string {
  return JSON.stringify(view, (key, value: unknown) =>
    worded.has(key) && typeof value === 'string' ? clientText(value, names) : value,
  );
}
