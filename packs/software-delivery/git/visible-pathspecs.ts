// Pathspecs that exclude from a diff what the call may not read. They are derived from names alone, because a hidden file looks
// like a device, whose content git cannot compare.
import {excluding, hiddenAmong, type GrantContext} from './hidden-paths.ts';
import {runGit, type GitContext} from './run-git.ts';

/** `command` is a diff without an output format, and ends with `paths`. Append the result to the paths. */
export async function visiblePathspecs(
  context: GitContext & GrantContext,
  command: readonly string[],
  paths: readonly string[],
): Promise<readonly string[]> {
  const {stdout} = await runGit(context, [...command, '--no-renames', '--name-only', '-z', ...paths], {
    max_bytes: 64 * 1024 * 1024,
  });
  return excluding(await hiddenAmong(context, stdout.split('\0').slice(0, -1)));
}
