// The sessions that damaged segments name. Most of their bytes are intact, although they are no longer a log.
import {existsSync, readFileSync} from 'node:fs';

const named = /"session_id":"([^"\\]{1,200})"|"of":"(?:session|programs) ([^"\\]{1,200})"/gu;

export function sessionsIn(paths: readonly string[]): readonly string[] {
  const found = new Set<string>();
  for (const path of paths.filter((each) => existsSync(each))) {
    for (const [, session, tainted] of readFileSync(path, 'utf8').matchAll(named)) found.add(session ?? tainted ?? '');
  }
  return [...found].toSorted();
}
