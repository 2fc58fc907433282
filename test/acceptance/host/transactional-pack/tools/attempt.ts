import {defineTool} from '@lumenflow/pack-sdk';

interface Attempts {
  /** Read through the context. */
  readonly read?: string;
  readonly call?: {readonly tool: string; readonly input: Record<string, unknown>};
}

/** Tries forbidden operations, and continues. */
export const attempt = defineTool<Attempts, {codes: string[]}>({
  async run({read, call}, {fs, callTool}) {
    const codes: string[] = [];
    if (read !== undefined) {
      const code = await fs.readText(read).then(
        () => 'ok',
        (error: {readonly code?: string}) => error.code ?? 'unknown',
      );
      codes.push(code);
    }
    if (call !== undefined) codes.push((await callTool(call.tool, call.input)).error?.code ?? 'ok');
    return {codes};
  },
});

/** What an edit would be made to. */
export const peek = defineTool<{path: string}, {content: string}>({
  run: async ({path}, {fs}) => ({content: await fs.readText(path)}),
});
