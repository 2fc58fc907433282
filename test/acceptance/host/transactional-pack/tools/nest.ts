import {defineTool} from '@lumenflow/pack-sdk';
import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

interface Steps {
  /** Written before the calls are made. */
  readonly files?: Record<string, string>;
  readonly calls?: readonly {readonly tool: string; readonly input: Record<string, unknown>}[];
  /** Read after them. */
  readonly read?: string;
  readonly fail?: boolean;
}

/** Writes, makes calls one after the other, and reads. */
export const nest = defineTool<Steps, {codes: string[]; read?: string}>({
  async run({files = {}, calls = [], read, fail}, {workspace_root, callTool}) {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace_root, path)), {recursive: true});
      writeFileSync(join(workspace_root, path), content);
    }
    const codes: string[] = [];
    for (const {tool, input} of calls) {
      const {success, error} = await callTool(tool, input);
      codes.push(success ? 'ok' : (error?.code ?? ''));
    }
    if (fail === true) throw new Error('after all');
    return {codes, ...(read !== undefined && {read: readFileSync(join(workspace_root, read), 'utf8')})};
  },
});
