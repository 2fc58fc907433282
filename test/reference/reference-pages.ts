// The pages of docs/reference, generated from what they describe by `npm run docs`.
import {existsSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {root} from '../tidy/repository.ts';
import {writeCommandSections} from './command-sections.ts';
import {writeInterfaceSections} from './interface-sections.ts';
import {writeSchemaSections} from './schema-sections.ts';
import {writeToolTables} from './tool-tables.ts';

export const referenceFolder: string = join(root, 'docs/reference');

interface Page {
  readonly title: string;
  readonly intro: string;
  write(): string;
}

const pages: Readonly<Record<string, Page>> = {
  'manifest.md': {
    title: 'manifest.yaml',
    intro: 'Every key of a pack’s manifest. Keys that are not listed are refused.',
    write: () => writeSchemaSections('manifest.md', ['pack_manifest', 'tool_file']),
  },
  'workspace.md': {
    title: 'workspace.yaml',
    intro: 'Every key of a workspace. A pack adds one key, its `config_key`, validated by its own schema.',
    write: () => writeSchemaSections('workspace.md', ['workspace_spec']),
  },
  'policy.md': {
    title: 'Policy rules',
    intro: 'Every key under `policies`, in `workspace.yaml`, in a lane, in a manifest and in a task.',
    write: () => writeSchemaSections('policy.md', ['workspace_policy_layer', 'policy_layer']),
  },
  'context.md': {
    title: 'The tool context',
    intro:
      'What a handler gets as the second argument of `run`, the same in a pool thread and in a sandbox. Errors are thrown as `ToolError`, whose `code` is named here.',
    write: () =>
      writeInterfaceSections('pack-sdk/tool-context.ts', [
        'ToolContext',
        'ScopedFileSystem',
        'FileStat',
        'DirectoryEntry',
        'PackState',
        'StateText',
        'StateLines',
        'StateVersion',
        'StateExpectation',
        'ExecOptions',
        'ExecResult',
      ]),
  },
  'commands.md': {
    title: 'Commands',
    intro: 'The help of every command. The global options work with all of them.',
    write: writeCommandSections,
  },
  'software-delivery.md': {
    title: 'Tools of software-delivery',
    intro:
      'All tools of the pack, by the files of its manifest. `lumenflow tools show <tool>` prints one with its schemas; workspace, lane and task leave less than it may touch at most.',
    write: () => writeToolTables('packs/software-delivery/manifest.yaml'),
  },
  'agent-runtime.md': {
    title: 'Tools of agent-runtime',
    intro: 'All tools of the pack. `lumenflow tools show <tool>` prints one with its schemas.',
    write: () => writeToolTables('packs/agent-runtime/manifest.yaml'),
  },
};

const mark = '<!-- Generated: `npm run docs` writes it anew. -->';

/** Each page's text as it should be, by its file's name. */
export function writePages(): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(pages).map(([name, {title, intro, write}]) => [
      name,
      `${mark}\n\n# ${title}\n\n${intro}\n\n${write().trimEnd()}\n`,
    ]),
  );
}

/** Names of the pages in `folder` that are not what they should be. */
export function stalePages(folder: string, wanted: ReadonlyMap<string, string>): readonly string[] {
  return [...wanted.keys()].filter((name) => {
    const path = join(folder, name);
    return !existsSync(path) || readFileSync(path, 'utf8') !== wanted.get(name);
  });
}
