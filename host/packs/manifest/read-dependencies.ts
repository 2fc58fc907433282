// The packages that a pack declares in its package.json: its code can import these.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {PackFiles} from '../files/pack-files.ts';

/** A pack without a package.json declares none. */
export async function readDependencies(
  files: PackFiles,
  display: (path: string) => string,
): Promise<Outcome<ReadonlySet<string>>> {
  if (!files.has('package.json')) return ok(new Set());
  const text = new TextDecoder().decode(await files.read('package.json'));
  try {
    const declared = JSON.parse(text) as Record<string, unknown> | null;
    const fields = ['dependencies', 'peerDependencies', 'optionalDependencies'].map((key) => declared?.[key]);
    return ok(new Set(fields.flatMap((field) => Object.keys(field ?? {}))));
  } catch (error) {
    const message = `the file is not JSON: ${error instanceof Error ? error.message : String(error)}`;
    return failed({code: 'PACK_FILE_INVALID', severity: 'error', message, where: display('package.json')});
  }
}
