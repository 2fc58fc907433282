// The host's files with the workspace as a call sees it, for compiling the profiles of its nested calls.
import {join} from 'node:path';
import {isWithin} from '../profile/host-paths.ts';
import type {HostFiles} from '../profile/host-files.ts';

/** As many as Linux follows. */
const hopsMax = 40;

/** `door`: where this process finds the call's view of the root. */
export function filesInView(files: HostFiles, root: string, door: string): HostFiles {
  // No view gives a call access to the runtime's state, and a copy lacks it.
  const isInView = (path: string): boolean => isWithin(path, root) && !isWithin(path, join(root, '.lumenflow'));
  // The door itself looks like a symlink.
  const through = (path: string): string => (isInView(path) ? `${door}/.${path.slice(root.length)}` : path);
  return {
    kindOf: (path) => files.kindOf(through(path)),
    entries: (directory) => files.entries(through(directory)),
    linkText: (path) => files.linkText(through(path)),
    realPath: (path) => (isInView(path) ? resolve(path) : files.realPath(path)),
    // Links in it are followed as the call itself would follow them.
    textOf: (path) => {
      const real = isInView(path) ? resolve(path) : path;
      return real === undefined ? undefined : files.textOf(through(real));
    },
    pause: () => files.pause(),
  };

  /** Resolves by names: the kernel's own answer would describe the tree beneath the view. */
  function resolve(path: string): string | undefined {
    let done = root;
    const ahead = path.slice(root.length).split('/');
    for (let hops = 0; hops <= hopsMax;) {
      const name = ahead.shift();
      if (name === undefined) return files.kindOf(through(done)) === undefined ? undefined : done;
      if (name === '' || name === '.') continue;
      const next = join(done, name);
      if (!isInView(next)) return files.realPath(join(next, ...ahead));
      const text = files.linkText(through(next));
      if (text === undefined) {
        done = next;
        continue;
      }
      hops += 1;
      if (text.startsWith('/')) {
        if (!isInView(text)) return files.realPath(join(text, ...ahead));
        done = root;
        ahead.unshift(...text.slice(root.length).split('/'));
      } else ahead.unshift(...text.split('/'));
    }
    return undefined;
  }
}
