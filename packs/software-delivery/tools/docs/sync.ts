// docs:sync: copies the instructions for agents into the files that each of them reads.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {sha256Hex} from '../../files/sha256-hex.ts';
import type {PackConfig} from '../../pack-config.ts';
import {readAgentDocs, syncedText} from '../../views/agent-docs.ts';

interface DocsSyncInput {
  /** Puts the copy before the text of a file that has no marks yet. */
  readonly adopt?: boolean;
  readonly dry_run?: boolean;
}

interface DocsSyncOutput {
  readonly source: string;
  readonly files: readonly {
    readonly path: string;
    readonly change: 'created' | 'updated' | 'none';
    readonly sha256: string;
  }[];
  readonly dry_run: boolean;
}

export const docsSync: ToolDefinition<DocsSyncInput, DocsSyncOutput, PackConfig> = defineTool({
  async run({adopt = false, dry_run: dryRun = false}, {fs, config}) {
    const {source, targets} = await readAgentDocs(fs, config);
    // All of them are made before one is written: a target that is refused leaves the others as they are.
    const texts = targets.map((target) => ({...target, synced: syncedText(source, target, adopt)}));
    const files: DocsSyncOutput['files'][number][] = [];
    for (const {path, text, synced} of texts) {
      const change = text === undefined ? 'created' : text === synced ? 'none' : 'updated';
      if (change !== 'none' && !dryRun) await fs.write(path, synced);
      files.push({path, change, sha256: await sha256Hex(synced)});
    }
    return {source: source.path, files, dry_run: dryRun};
  },
});
