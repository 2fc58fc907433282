// A copy of the index outside the repository, so that git can stage and write trees without touching it. New objects are stored
// next to the copy; existing ones are read from the repository.
import {ToolError} from '@lumenflow/pack-sdk';
import {gitPath} from './git-path.ts';
import type {GitContext} from './run-git.ts';

/** Environment that makes git use the scratch index. */
export type ScratchEnvironment = Readonly<
  Record<'GIT_INDEX_FILE' | 'GIT_OBJECT_DIRECTORY' | 'GIT_ALTERNATE_OBJECT_DIRECTORIES', string>
>;

// -p preserves the time of the index, which git compares with the files' times.
const makeScratch = [
  'set -e',
  'scratch=$(mktemp -d)',
  'mkdir "$scratch/objects"',
  'if [ -f "$1" ]; then cp -p -- "$1" "$scratch/index"; fi',
  'printf %s "$scratch"',
].join('\n');

export async function withScratchIndex<T>(
  context: GitContext,
  use: (environment: ScratchEnvironment) => Promise<T>,
): Promise<T> {
  const index = await gitPath(context, 'index');
  const objects = await gitPath(context, 'objects');
  const made = await context.exec('sh', ['-c', makeScratch, 'sh', index]);
  if (made.exit_code !== 0 || made.stdout === '') {
    throw new ToolError('SCRATCH_UNAVAILABLE', `cannot create a scratch directory: ${made.stderr.trim()}`);
  }
  try {
    return await use({
      GIT_INDEX_FILE: `${made.stdout}/index`,
      GIT_OBJECT_DIRECTORY: `${made.stdout}/objects`,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteAlternate(objects),
    });
  } finally {
    await context.exec('rm', ['-rf', '--', made.stdout]);
  }
}

/** In the list of alternates, `:` is the separator and a leading `"` starts a C-quoted entry. */
function quoteAlternate(path: string): string {
  return `"${path.replaceAll(/["\\]/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}"`;
}
