// A file that goes at one path and comes at another was renamed, if exactly one file went and exactly one came with this content.
// Two equal files could be paired either way, so they stay what they are: deleted and created.
import type {ChangeEntry, EntryState} from '@lumenflow/schemas';

interface Pair {
  readonly gone: ChangeEntry[];
  readonly come: ChangeEntry[];
}

export function pairRenames(entries: readonly ChangeEntry[]): readonly ChangeEntry[] {
  const pairs = new Map<string, Pair>();
  for (const entry of entries) {
    if (entry.op !== 'delete' && entry.op !== 'create') continue;
    const content = contentOf(entry.op === 'delete' ? entry.before : entry.after);
    if (content === undefined) continue;
    const pair = pairs.get(content) ?? {gone: [], come: []};
    pairs.set(content, pair);
    (entry.op === 'delete' ? pair.gone : pair.come).push(entry);
  }
  const renames = new Map<ChangeEntry, ChangeEntry | undefined>();
  for (const {gone, come} of pairs.values()) {
    const [from, to] = [gone[0], come[0]];
    if (from === undefined || to === undefined || gone.length > 1 || come.length > 1) continue;
    renames.set(from, undefined);
    renames.set(to, renamed(from, to));
  }
  if (renames.size === 0) return entries;
  return entries.flatMap((entry) => (renames.has(entry) ? (renames.get(entry) ?? []) : [entry]));
}

function renamed({path: from, before}: ChangeEntry, {path, after}: ChangeEntry): ChangeEntry {
  return {path, op: 'rename', from, ...(before && {before}), ...(after && {after})};
}

/** Empty files have nothing in common but that. */
function contentOf(state: EntryState | undefined): string | undefined {
  const {kind, mode = 0, bytes = 0, sha256} = state ?? {};
  return kind === 'file' && bytes > 0 && sha256 !== undefined ? `${sha256} ${mode} ${bytes}` : undefined;
}
