// The value of a result in MCP's own shape: its structured content; otherwise its one text, as JSON if it is; otherwise its contents.

interface Content {
  readonly type?: unknown;
  readonly text?: unknown;
}

export function plainValue(data: unknown): unknown {
  if (typeof data !== 'object' || data === null) return data ?? null;
  const {structuredContent, content} = data as {readonly structuredContent?: unknown; readonly content?: unknown};
  if (structuredContent !== undefined) return structuredContent;
  if (!Array.isArray(content)) return data;
  const [only, second] = content as readonly Content[];
  if (second !== undefined || only?.type !== 'text' || typeof only.text !== 'string') return content;
  return parsed(only.text);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Most servers return text for people.
    return text;
  }
}
