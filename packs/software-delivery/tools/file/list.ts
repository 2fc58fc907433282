// file:list lists the entries of a directory, or of a whole tree.
import {defineTool, type DirectoryEntry, type ToolDefinition} from '@lumenflow/pack-sdk';
import {compileGlob} from '../../files/match-glob.ts';
import {walkFiles, type WalkedEntry} from '../../files/walk-files.ts';
import {inCheckout} from '../../checkouts/in-checkout.ts';

interface FileListInput {
  /** Default: the workspace root. */
  readonly path?: string;
  readonly recursive?: boolean;
  /** For `recursive`; default 32. */
  readonly max_depth?: number;
  /** Without `/` it matches names, with `/` paths from the workspace root. */
  readonly glob?: string;
  readonly kinds?: readonly DirectoryEntry['kind'][];
  readonly include_hidden?: boolean;
  readonly include_ignored?: boolean;
  /** Default 1,000. */
  readonly max_entries?: number;
}

interface FileListOutput {
  readonly path: string;
  readonly entries: readonly WalkedEntry[];
  readonly truncated: boolean;
}

export const fileList: ToolDefinition<FileListInput, FileListOutput> = defineTool({
  async run(input, context) {
    const {fs, signal} = await inCheckout(context);
    const {path = '.', max_entries: entriesMax = 1000} = input;
    const matches = input.glob === undefined ? () => true : compileGlob(input.glob);
    const entries: WalkedEntry[] = [];
    const depth = input.recursive === true ? (input.max_depth ?? 32) : 1;
    for await (const entry of walkFiles(fs, {...input, start: path, depth_max: depth})) {
      signal.throwIfAborted();
      if (input.kinds?.includes(entry.kind) === false || !matches(entry.path)) continue;
      if (entries.length >= entriesMax) return {path, entries, truncated: true};
      entries.push(entry);
    }
    return {path, entries, truncated: false};
  },
});
