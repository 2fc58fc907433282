// Answers a transaction's questions about a grant: whether a path may be changed, and otherwise why not.
import type {WriteAccess} from '@lumenflow/sandbox';
import {notGranted, type FileAccess} from './scoped-fs/index.ts';

export function writeAccess(access: FileAccess): WriteAccess {
  return {
    allows: (path) => access.allows(path, 'write'),
    whyNot: (path) => {
      const {message, details} = notGranted(path, 'write', access.whyNot?.(path, 'write'));
      return {message, details: {...details}};
    },
  };
}
