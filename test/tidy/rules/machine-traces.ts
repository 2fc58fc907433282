// What a file says about the machine it was written on, and nowhere else holds.
import {type Finding, lineAt, type SourceFile} from './source-file.ts';

/** Lines that name one of these folders of this machine: the checkout, the home folder. */
export function findMachinePaths(files: readonly SourceFile[], folders: readonly string[]): readonly Finding[] {
  return files.flatMap(({path, text}) =>
    folders.flatMap((folder): readonly Finding[] => {
      const offset = text.indexOf(folder);
      return offset < 0
        ? []
        : [{path, line: lineAt(text, offset), message: `names \`${folder}\`, a path of one machine`}];
    }),
  );
}

/** Packages that the lock file ties to one registry. Without a host, any mirror serves. */
export function findRegistryHosts(lockFile: SourceFile): readonly Finding[] {
  return [...lockFile.text.matchAll(/"resolved": "(?:https?|git|file)[^"]*"/g)].map((match) => ({
    path: lockFile.path,
    line: lineAt(lockFile.text, match.index),
    message: `${match[0]}: run \`npm install\` with the .npmrc of this repository`,
  }));
}
