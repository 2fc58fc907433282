// Intercepts `node:fs` in this process: reports the operations below a folder, in order, and can make them fail. Install it before the
// packages under test are loaded, because they keep some imported functions.
import {syncBuiltinESMExports} from 'node:module';
import type {FileSystemTap} from './file-operation.ts';
import {tapNames, tapReads} from './tap-names.ts';
import {tapOpenFiles} from './tap-open-files.ts';
import {tapPromises} from './tap-promises.ts';
import {WatchedFiles} from './watched-files.ts';

/** Changes `node:fs` of this process, once and for good; without a watcher it does what it always did. */
export function tapFileSystem(): FileSystemTap {
  const tap = new WatchedFiles();
  tapOpenFiles(tap);
  tapNames(tap);
  tapReads(tap);
  tapPromises(tap);
  syncBuiltinESMExports();
  return tap;
}
