// A program without the steps that its schema rejects, so that the problems of all others are found too. The names that such a step
// would define stay known.
import type {Problem} from '@lumenflow/kernel';

interface Part {
  readonly [key: string]: Part | undefined;
}

export function withoutInvalidSteps(value: unknown, problems: readonly Problem[]): unknown {
  const copy: unknown = structuredClone(value);
  for (const {pointer = ''} of problems) replaceStep(copy as Part, pointer.split('/').slice(1));
  return copy;
}

const lists = new Set(['steps', 'then', 'else', 'default', 'try', 'catch', 'finally']);

/** The innermost step that contains the problem. */
function replaceStep(root: Part, path: readonly string[]): void {
  let within: Part | undefined = root;
  let found: {readonly list: unknown[]; readonly index: number} | undefined;
  for (const [depth, key] of path.entries()) {
    const isItem = lists.has(path[depth - 1] ?? '') || path[depth - 2] === 'parallel';
    if (Array.isArray(within) && isItem) found = {list: within, index: Number(key)};
    within = within?.[key];
  }
  if (!found) return;
  const names = namesIn(found.list[found.index]);
  found.list[found.index] = Object.keys(names).length === 0 ? {wait_for_approval: '-'} : {let: names};
}

function namesIn(step: unknown): Readonly<Record<string, null>> {
  const {as, let: values} = Object(step) as {readonly as?: unknown; readonly let?: unknown};
  const names = [as, ...Object.keys(Object(values) as object)].filter(
    (name) => typeof name === 'string' && /^[a-z]\w*$/u.test(name),
  );
  return Object.fromEntries(names.map((name) => [name, null]));
}
