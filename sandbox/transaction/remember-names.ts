// Keeps what compiling a profile sees of directories: the names that a call may find when it starts.
import type {HostFiles} from '../profile/host-files.ts';
import type {NamesAtStart} from './find-conflicts.ts';

/** Directories are asked for relative to the root, `.` for the root itself. */
export function rememberNames(
  files: HostFiles,
  root: string,
): {readonly files: HostFiles; readonly namesAtStart: NamesAtStart} {
  const seen = new Map<string, readonly {readonly name: string}[]>();
  return {
    files: {
      ...files,
      entries(directory) {
        const entries = files.entries(directory);
        seen.set(directory, entries);
        return entries;
      },
    },
    namesAtStart: (directory, name) =>
      seen.get(directory === '.' ? root : `${root}/${directory}`)?.some((entry) => entry.name === name) === true,
  };
}
