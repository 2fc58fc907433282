// Copies one text of instructions into the files that different agents read. The copy is between two markers, so the rest of the
// file is untouched.
import {ToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import {findFile, readFile} from '../files/current-file.ts';
import type {PackConfig} from '../pack-config.ts';

export interface AgentDoc {
  readonly path: string;
  /** Undefined if there is no such file. */
  readonly text: string | undefined;
}

const begin = '<!-- agent-docs:begin';
const end = '<!-- agent-docs:end -->';

/** If the config names no targets, the existing ones of these are updated. */
const wellKnownTargets = ['CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md'];

export async function readAgentDocs(
  fs: ScopedFileSystem,
  config: PackConfig,
): Promise<{readonly source: AgentDoc & {readonly text: string}; readonly targets: readonly AgentDoc[]}> {
  const {source = 'AGENTS.md', targets} = config?.agent_docs ?? {};
  const docs: AgentDoc[] = [];
  for (const path of targets ?? wellKnownTargets) docs.push({path, text: await readText(fs, path)});
  const kept = targets === undefined ? docs.filter(({text}) => text !== undefined) : docs;
  const text = new TextDecoder().decode((await readFile(fs, source)).bytes);
  return {source: {path: source, text}, targets: kept};
}

/** The target's new text. Throws ToolError TARGET_UNMARKED for a file with its own text and no markers, unless it is adopted. */
export function syncedText(source: AgentDoc & {readonly text: string}, target: AgentDoc, adopt: boolean): string {
  const block = `${begin} ${source.path}, copied by docs:sync -->\n${source.text.trim()}\n${end}`;
  const {path, text} = target;
  if (text === undefined || text.trim() === '') return `${block}\n`;
  const found = findBlock(text);
  if (found !== undefined) return text.slice(0, found.start) + block + text.slice(found.end);
  if (adopt) return `${block}\n\n${text}`;
  throw new ToolError(
    'TARGET_UNMARKED',
    `\`${path}\` has its own text and no markers: pass \`adopt\` to insert \`${source.path}\` above it`,
    {path},
  );
}

export function isMarked(text: string): boolean {
  return findBlock(text) !== undefined;
}

function findBlock(text: string): {readonly start: number; readonly end: number} | undefined {
  const start = text.indexOf(begin);
  const last = text.indexOf(end, start);
  return start < 0 || last < 0 ? undefined : {start, end: last + end.length};
}

async function readText(fs: ScopedFileSystem, path: string): Promise<string | undefined> {
  const file = await findFile(fs, path);
  return file === undefined ? undefined : new TextDecoder().decode(file.bytes);
}
