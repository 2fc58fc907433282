// A small workspace, and the ways in which people and programs change one.
import fs from 'node:fs';
import {join} from 'node:path';

export interface RandomTree {
  readonly root: string;
  /** On the same file system. */
  readonly aside: string;
  random(below: number): number;
}

let names = 0;
const fresh = (): string => `n${(names += 1)}`;

export function makeTree({root, aside}: RandomTree): void {
  for (const path of [root, aside]) fs.rmSync(path, {recursive: true, force: true});
  fs.mkdirSync(aside, {recursive: true});
  for (const path of [
    '',
    'a',
    'a/b',
    'a/secrets',
    'c',
    'c/d',
    'c/d/e',
    'c/d/e/secrets',
    'g',
    'g/h',
    '.git',
    '.git/hooks',
  ]) {
    fs.mkdirSync(join(root, path), {recursive: true});
    for (const name of ['x', 'y', 'z']) fs.writeFileSync(join(root, path, name), `${path}/${name}`);
  }
  fs.symlinkSync('x', join(root, 'g/link'));
  for (const path of ['.env', 'a/b/.env', 'c/.npmrc']) fs.writeFileSync(join(root, path), 'GUARDED');
}

function entries(tree: RandomTree, kinds = 'fdl', directory = tree.root): readonly string[] {
  return fs.readdirSync(directory, {withFileTypes: true}).flatMap((entry) => {
    if (directory === tree.root && entry.name === '.lumenflow') return [];
    const path = join(directory, entry.name);
    const kind = entry.isDirectory() ? 'd' : entry.isSymbolicLink() ? 'l' : 'f';
    return [...(kinds.includes(kind) ? [path] : []), ...(kind === 'd' ? entries(tree, kinds, path) : [])];
  });
}

function pick<T>(tree: RandomTree, list: readonly T[]): T {
  const picked = list[tree.random(Math.max(1, list.length))];
  if (picked === undefined) throw Object.assign(new Error('there is nothing to pick'), {code: 'ENOENT'});
  return picked;
}

const directories = (tree: RandomTree): readonly string[] => [tree.root, ...entries(tree, 'd')];

function exchange({root, aside, random}: RandomTree, path: string): void {
  const old = join(aside, fresh());
  fs.renameSync(path, old);
  fs.mkdirSync(path);
  for (const name of fs.readdirSync(old)) {
    if (random(3) > 0 || path === root) fs.renameSync(join(old, name), join(path, name));
  }
}

const changes: Readonly<Record<string, (tree: RandomTree) => void>> = {
  create: (tree) => fs.writeFileSync(join(pick(tree, directories(tree)), fresh()), fresh()),
  append: (tree) => fs.appendFileSync(pick(tree, entries(tree, 'f')), fresh()),
  replace(tree) {
    const path = pick(tree, entries(tree, 'f'));
    fs.writeFileSync(`${path}.tmp`, fresh());
    fs.renameSync(`${path}.tmp`, path);
  },
  unlink: (tree) => fs.unlinkSync(pick(tree, entries(tree, 'fl'))),
  remake(tree) {
    const path = pick(tree, entries(tree, 'f'));
    fs.unlinkSync(path);
    fs.writeFileSync(path, fresh());
  },
  mkdir: (tree) => fs.mkdirSync(join(pick(tree, directories(tree)), fresh())),
  removeTree: (tree) => fs.rmSync(pick(tree, entries(tree, 'd')), {recursive: true}),
  rename(tree) {
    const [path, to] = [pick(tree, entries(tree)), pick(tree, directories(tree))];
    if (!`${to}/`.startsWith(`${path}/`)) fs.renameSync(path, join(to, fresh()));
  },
  swap(tree) {
    const [one, other] = [pick(tree, entries(tree)), pick(tree, entries(tree))];
    if (`${one}/`.startsWith(`${other}/`) || `${other}/`.startsWith(`${one}/`)) return;
    const place = join(tree.aside, fresh());
    fs.renameSync(one, place);
    fs.renameSync(other, one);
    fs.renameSync(place, other);
  },
  exchange: (tree) => exchange(tree, pick(tree, entries(tree, 'd'))),
  exchangeRoot: (tree) => void (tree.random(4) === 0 && exchange(tree, tree.root)),
  awayAndBack(tree) {
    const [path, place] = [pick(tree, entries(tree)), join(tree.aside, fresh())];
    fs.renameSync(path, place);
    fs.renameSync(place, path);
  },
  otherKind(tree) {
    const path = pick(tree, entries(tree));
    fs.rmSync(path, {recursive: true});
    const makers = [() => fs.mkdirSync(path), () => fs.writeFileSync(path, fresh()), () => fs.symlinkSync('x', path)];
    pick(tree, makers)();
  },
  chmod: (tree) => fs.chmodSync(pick(tree, [tree.root, ...entries(tree, 'fd')]), pick(tree, [0o700, 0o755, 0o750])),
  link: (tree) => fs.linkSync(pick(tree, entries(tree, 'f')), join(pick(tree, directories(tree)), fresh())),
  times: (tree) => fs.utimesSync(pick(tree, entries(tree, 'fd')), 1e9 + tree.random(1e6), 1e9 + tree.random(1e6)),
};

const impossible: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTEMPTY', 'EEXIST', 'ENOTDIR', 'EISDIR', 'EINVAL']);

/** Makes one change and gives its name; some cannot be made as things are. */
export function changeAtRandom(tree: RandomTree): string {
  const name = pick(tree, Object.keys(changes));
  try {
    changes[name]?.(tree);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && impossible.has(error.code))) throw error;
  }
  return name;
}
