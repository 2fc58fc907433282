// Runs long tests on another backend: those of software-delivery whose calls run programs, and the examples.
import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {withEngine} from './with-engine.ts';

const repository = join(import.meta.dirname, '../..');
const delivery = 'test/acceptance/delivery';
const files = [
  ...['done', 'work-units', 'gates', 'daily-use'].map((name) => `${delivery}/${name}.long.test.ts`),
  'test/acceptance/examples.long.test.ts',
];

/** Whether all tests passed. */
export async function testDelivery(backend: SandboxBackendName): Promise<boolean> {
  return await withEngine(backend, async (engine) => {
    process.stderr.write(`${backend} …\n`);
    const vitest = join(repository, 'node_modules/vitest/vitest.mjs');
    const child = spawn(process.execPath, [vitest, 'run', '--project=long', ...files], {
      cwd: repository,
      env: {
        ...process.env,
        LUMENFLOW_TEST_BACKEND: backend,
        ...(engine && {LUMENFLOW_TEST_SOCKET: engine.socket}),
      },
      stdio: 'inherit',
    });
    const [code] = (await once(child, 'exit')) as readonly unknown[];
    return code === 0;
  });
}
