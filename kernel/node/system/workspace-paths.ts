// Where paths of the workspace lead, by following links one name at a time. For decisions only: code that opens a file walks the path
// again and does not follow links.
import type {PathLook, WorkspacePaths} from '@lumenflow/kernel/adapters';
import {lstat, readlink} from 'node:fs/promises';
import {join, relative, sep} from 'node:path';

/** As many as Linux follows. */
const hopsMax = 40;

/** `root`: absolute, without links. */
export function createWorkspacePaths(root: string): WorkspacePaths {
  return {
    async look(path) {
      try {
        return await follow(root, path);
      } catch {
        // A path that cannot be inspected may be anything: treat it as a directory that may lead out of the workspace.
        return {leads_to: undefined, is_directory: true};
      }
    },
  };
}

async function follow(root: string, path: string): Promise<PathLook> {
  const done: string[] = [];
  const ahead = namesOf(path);
  let isDirectory = true;
  for (let hops = 0; hops <= hopsMax;) {
    const name = ahead.shift();
    if (name === undefined) return {leads_to: done.join('/') || '.', is_directory: isDirectory};
    if (name === '..') {
      if (done.pop() === undefined) break;
      continue;
    }
    const file = join(root, ...done, name);
    const stat = await lstat(file).catch(unlessMissing);
    isDirectory = stat?.isDirectory() === true;
    if (stat?.isSymbolicLink() !== true) {
      done.push(name);
      continue;
    }
    hops += 1;
    const target = await readlink(file);
    if (!target.startsWith('/')) {
      ahead.unshift(...namesOf(target));
      continue;
    }
    const inside = relative(root, target);
    if (inside === '..' || inside.startsWith(`..${sep}`)) break;
    done.length = 0;
    ahead.unshift(...namesOf(inside));
  }
  return {leads_to: undefined, is_directory: true};
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function unlessMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
