// The key by which this host signs requests to workers. During a rotation it is the older one, which all workers know.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {SigningKey} from '@lumenflow/sandbox';
import {readKeys, type KeyProblem} from '../keys/key-folder.ts';
import {machineFoldersOf} from '../keys/machine-folders.ts';

/** `env`: of the host's process. */
export async function keyForWorkers(env: NodeJS.ProcessEnv): Promise<Outcome<SigningKey, KeyProblem>> {
  const keys = readKeys(machineFoldersOf(env).hostKeys);
  if (!keys.ok) return keys;
  const [oldest] = keys.value;
  return oldest === undefined
    ? failed({
        message: 'this host has no key for workers',
        help: 'run `lumenflow workers key`, and trust its output there',
      })
    : ok(oldest);
}
