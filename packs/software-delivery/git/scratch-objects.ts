// A context in which git stores new objects outside the repository, so that a merge can be tried without writing to it.
import type {GitContext} from './run-git.ts';
import {withScratchIndex} from './scratch-index.ts';

export async function withScratchObjects<Context extends GitContext, T>(
  context: Context,
  use: (context: Context) => Promise<T>,
): Promise<T> {
  return await withScratchIndex(context, async ({GIT_OBJECT_DIRECTORY, GIT_ALTERNATE_OBJECT_DIRECTORIES}) => {
    const objects = {GIT_OBJECT_DIRECTORY, GIT_ALTERNATE_OBJECT_DIRECTORIES};
    const exec: GitContext['exec'] = (command, args, options = {}) =>
      context.exec(command, args, {...options, env: {...objects, ...options.env}});
    return await use({...context, exec});
  });
}
