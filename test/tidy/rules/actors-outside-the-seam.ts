// One function gives the actor of a command, so that no command forgets the person that signed in.
import {importsOf} from './imports-of.ts';
import {type Finding, isTestCode, type SourceFile} from './source-file.ts';

/** Where a name may come from elsewhere, and why. A folder ends in a slash. */
const allowed: Readonly<Record<string, string>> = {
  'host/cli/sign-in/': 'is the seam',
  'host/cli/commands/init.ts': 'creates the workspace, to which no person has signed in',
  'host/cli/commands/pack-dev.ts': 'uses a temporary workspace without `sign_in`',
  'host/cli/commands/evidence-salvage.ts': 'repairs the log that contains the sign-ins',
};

/** Commands that read the name of the user themselves. */
export function findActorsOutsideTheSeam(files: readonly SourceFile[]): readonly Finding[] {
  return files
    .filter(({path}) => path.startsWith('host/') && !isTestCode(path))
    .filter(({path}) => !Object.keys(allowed).some((place) => path.startsWith(place)))
    .flatMap((file) => [...importsOfActor(file), ...readsOfUser(file)]);
}

const message = 'takes the name of the actor itself: use `actingPerson` or `decidingPerson` (host/cli/sign-in)';

function importsOfActor(file: SourceFile): readonly Finding[] {
  return importsOf(file)
    .filter(({specifier}) => specifier?.endsWith('/actor.ts') === true)
    .filter(() => !/import \{givenActor\} from '[./a-z-]+\/actor\.ts'/u.test(file.text))
    .map(({line}) => ({path: file.path, line, message}));
}

function readsOfUser({path, text}: SourceFile): readonly Finding[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      /\buserInfo\(|env\[?\.?'?LUMENFLOW_ACTOR/u.test(line) ? [{path, line: index + 1, message}] : [],
    );
}
