// A workspace whose areas each have one generation: as long as calls are all or nothing, every file of an area says the same.
import {makeHostWorkspace, type HostWorkspace} from '../support/host-workspace.ts';
import {lstatSync, readdirSync, readFileSync, readlinkSync} from 'node:fs';
import {join} from 'node:path';

/** `free`: applied immediately. `asked`: parked until a person approves. */
export const areas = ['free', 'asked'] as const;
export type Area = (typeof areas)[number];

const [folders, pages] = [5, 8];

/** `parent`: the folder to make it in. */
export function makeGenerationsWorkspace(parent?: string): HostWorkspace {
  const files = areas.flatMap((area) => [
    ...Array.from({length: folders * pages}, (_, n) => `${area}/folder-${n % folders}/page-${n}`),
    `${area}/made-0/deep/file`,
  ]);
  return makeHostWorkspace({
    ...(parent !== undefined && {parent}),
    copied: {generations: join(import.meta.dirname, 'generations-pack')},
    spec: {
      lanes: [
        {id: 'core', allowed_scopes: [{type: 'path', pattern: '{free,asked}/**', access: 'write'}], wip_limit: 100},
      ],
      policies: {
        default_decision: 'allow',
        rules: [
          {id: 'ask', trigger: 'on_changes', decision: 'approval_required', when: {changes: {any: {path: 'asked/**'}}}},
        ],
      },
    },
    files: Object.fromEntries(files.map((path) => [path, '0'])),
  });
}

/** The generation of an area, and what of it is not whole. */
export function readGeneration(
  root: string,
  area: Area,
): {readonly generation: number; readonly problems: readonly string[]} {
  const found = new Map<string, string[]>();
  const note = (says: string, where: string): void => void found.set(says, [...(found.get(says) ?? []), where]);
  for (const entry of readdirSync(join(root, area), {recursive: true, withFileTypes: true})) {
    const path = join(entry.parentPath, entry.name);
    if (entry.name.startsWith('made-')) note(entry.name.slice('made-'.length), path);
    else if (entry.isFile()) note(readFileSync(path, 'utf8'), path);
    else if (entry.isSymbolicLink()) note(readlinkSync(path).slice('made-'.length), path);
  }
  const [first = ''] = [...found.keys()];
  const generation = Number(first);
  const problems = [...found].map(
    ([says, where]) => `${area}: generation ${says} in ${where.length} places, as ${where[0]}`,
  );
  const mode = lstatSync(join(root, area, 'folder-0/page-0')).mode & 0o777;
  const modeProblem = `${area}: page-0 has mode ${mode.toString(8)} in generation ${generation}`;
  return {
    generation,
    problems: [
      ...(found.size === 1 ? [] : problems),
      ...(mode === (generation % 2 === 0 ? 0o644 : 0o755) ? [] : [modeProblem]),
    ],
  };
}
