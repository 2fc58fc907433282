// What one host has tried with a runtime, later hosts do not try again, until the runtime is replaced.
import {mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterEach, beforeEach, describe, expect, test} from 'vitest';
import {findProgram} from '../commands/find-program.ts';
import {createUserBench, userObstacle, type UserBench} from '../testing/user-bench.fixture.ts';
import {containerBackends, ociRuntimes} from './oci-runtime.ts';

const timeout = 300_000;

for (const backend of containerBackends) {
  const {program, install} = ociRuntimes[backend];
  const runtime = findProgram(program);
  const obstacle = userObstacle() ?? (runtime === undefined ? install : undefined);
  describe.skipIf(obstacle !== undefined)(`${backend}${obstacle === undefined ? '' : ` (${obstacle})`}`, () => {
    let users: UserBench;
    let folder: string;
    const counting = (): string => join(folder, program);
    beforeEach(async () => {
      folder = mkdtempSync('/var/tmp/lumenflow-counting-');
      users = await createUserBench();
      putRuntime();
    }, timeout);
    afterEach(() => {
      users.remove();
      rmSync(folder, {recursive: true});
    });

    /** Writes down each of its starts. */
    function putRuntime(): void {
      const draft = join(folder, 'draft');
      writeFileSync(draft, `#!/bin/sh\necho "$*" >>'${folder}/starts'\nexec ${runtime} "$@"\n`, {mode: 0o755});
      renameSync(draft, counting());
    }

    /** Of a host of its own: how many containers it ran. */
    async function containersOf(): Promise<number> {
      writeFileSync(join(folder, 'starts'), '');
      const {output} = await users.call('return 1;', {backend, uid: 0, options: {[backend]: {program: counting()}}});
      expect(output).toEqual({success: true, data: 1});
      return readFileSync(join(folder, 'starts'), 'utf8')
        .split('\n')
        .filter((line) => / run /.test(line)).length;
    }

    test('a host runs the container of its call alone once another one has tried the same', {timeout}, async () => {
      // The runtime itself, the profile, and the call.
      expect(await containersOf()).toBe(3);
      expect(await containersOf()).toBe(1);
      putRuntime();
      expect(await containersOf()).toBe(3);
    });
  });
}
