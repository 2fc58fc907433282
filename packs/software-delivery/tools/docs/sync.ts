// docs:sync copies the agent instructions into the files that each agent reads.
import {defineTool, type ToolDefinition} from '@lumenflow/pack-sdk';
import {sha256Hex} from '../../files/sha256-hex.ts';
import type {PackConfig} from '../../pack-config.ts';
import {readAgentDocs, syncedText} from '../../views/agent-docs.ts';

interface DocsSyncInput {
  /** Inserts the copy above the text of files without markers. */
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
    // Renders all targets before it writes one, so that a rejected target leaves the others unchanged.
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
