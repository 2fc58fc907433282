// What ties the repository to one machine, registry or platform.
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

interface LockedPackage {
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** Packages whose builds for other platforms the lock file has lost: `npm ci` refuses it, or installs nothing that runs there. */
export function findLostPlatforms(lockFile: SourceFile): readonly Finding[] {
  const {packages} = JSON.parse(lockFile.text) as {packages: Readonly<Record<string, LockedPackage>>};
  return Object.entries(packages).flatMap(([folder, {optionalDependencies = {}}]) =>
    Object.keys(optionalDependencies)
      .filter((name) => !packages[`node_modules/${name}`] && !packages[`${folder}/node_modules/${name}`])
      .map((name) => ({
        path: lockFile.path,
        line: lineAt(lockFile.text, lockFile.text.indexOf(`"${folder}"`)),
        message: `lacks ${name}, a build of ${folder}: choose a version that has all its builds, and update the lock file`,
      })),
  );
}
