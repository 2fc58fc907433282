// Checks whether the staged changes can be committed.
import {ToolError} from '@lumenflow/pack-sdk';
import type {ChangedFile} from './parse-diff.ts';

/** Throws ToolErrors CONFLICT and NOTHING_TO_COMMIT. */
export function checkStaged(files: readonly ChangedFile[], allowEmpty: boolean): void {
  const conflicted = files.filter(({status}) => status === 'conflicted').map(({path}) => path);
  if (conflicted.length > 0) {
    throw new ToolError('CONFLICT', 'some files are in conflict: resolve and stage them first', {paths: conflicted});
  }
  if (files.length === 0 && !allowEmpty) {
    throw new ToolError('NOTHING_TO_COMMIT', 'nothing is staged: stage files with `git:add` first');
  }
}
