// External commands start at one seam, so that a test can inject another executor and a sandbox can take its place.
import {importsOf} from './imports-of.ts';
import {type Finding, isTestCode, type SourceFile} from './source-file.ts';

const spawners = new Set(['node:child_process', 'node:cluster', 'execa', 'cross-spawn', 'tinyexec']);

/** Where a process may be started, and why. A folder ends in a slash. */
const allowed: Readonly<Record<string, string>> = {
  'sandbox/commands/': 'is the seam',
  'sandbox/runner/exec.ts': 'is `ctx.exec`: inside the sandbox already, where the seam does not reach',
  'host/exec/code/sandboxed/': 'runs code inside the sandbox already, where the seam does not reach',
  'pack-sdk/cli-adapter/surfaces/patch-children.ts': 'starts nothing: it catches what commands in a sandbox start',
  'pack-sdk/cli-adapter/run-script-process.ts':
    'runs a script inside the sandbox already, where the seam does not reach',
  'examples/team-cli/src/': "are a team's own commands: they run unmodified, and inside the sandbox",
  'examples/own-backend/': 'is a backend outside of LumenFlow, which has its own way to start a process',
  'integrations/postgres/testing/': 'starts a server for a test',
  'integrations/restate/testing/': 'starts a server for a test',
  'scripts/': 'run before anything is built',
  'test/': 'start the real programs as a user would',
};

/** Imports of a module that starts processes, outside the seam. Types do not count. */
export function findSpawnsOutsideTheSeam(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({path}) => !isTestCode(path) && !Object.keys(allowed).some((place) => path.startsWith(place)))
    .flatMap((file) =>
      importsOf(file)
        .filter(({specifier, typeOnly}) => !typeOnly && specifier !== undefined && spawners.has(specifier))
        .map(({specifier, line}) => ({
          path: file.path,
          line,
          message: `imports \`${specifier}\`: start commands through a CommandExecutor (sandbox/commands)`,
        })),
    );
}
