// Removes a tree of ours with everything that a call left in it, such as folders without permissions and paths longer than the
// system accepts.
import {chmod, lstat, mkdtemp, readdir, rename, rm, rmdir, unlink} from 'node:fs/promises';
import {join} from 'node:path';
import {undefinedIfMissing} from './undefined-if-missing.ts';

/** Does nothing if the tree does not exist. Nothing else may write to the tree at the same time. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, {recursive: true, force: true});
  } catch {
    if ((await undefinedIfMissing(lstat(path)))?.isDirectory() === true) await removeFlattened(path);
    else await rm(path, {force: true});
  }
}

/**
 * What `rm` began it may still remove while this runs, so anything can be gone already. Each folder is unlocked and moved to the top before it is opened,
 * so no path has more than two names below the tree.
 */
async function removeFlattened(tree: string): Promise<void> {
  await chmod(tree, 0o700);
  const top = Buffer.from(await mkdtemp(join(tree, 'removed-')));
  const waiting = [Buffer.from(tree)];
  const emptied: Buffer[] = [];
  let count = 0;
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const name of (await undefinedIfMissing(readdir(folder, {encoding: 'buffer'}))) ?? []) {
      const inside = Buffer.concat([folder, Buffer.from('/'), name]);
      if (inside.equals(top)) continue;
      if ((await undefinedIfMissing(lstat(inside)))?.isDirectory() !== true) {
        await undefinedIfMissing(unlink(inside));
        continue;
      }
      await undefinedIfMissing(chmod(inside, 0o700));
      const moved = Buffer.concat([top, Buffer.from(`/${count}`)]);
      count += 1;
      await undefinedIfMissing(rename(inside, moved));
      waiting.push(moved);
    }
    emptied.unshift(folder);
  }
  for (const folder of emptied) if (!folder.equals(Buffer.from(tree))) await undefinedIfMissing(rmdir(folder));
  await rmdir(top);
  await undefinedIfMissing(rmdir(tree));
}
