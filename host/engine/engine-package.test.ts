import {tmpdir} from 'node:os';
import {expect, it} from 'vitest';
import {checkEnginePackage} from './engine-package.ts';

it('names the package of an engine that is not installed, and the command that installs it', () => {
  expect(() => checkEnginePackage({kind: 'absent' as never}, tmpdir())).toThrow(
    expect.objectContaining({
      code: 'LOAD_FAILED',
      message:
        'the engine `absent` needs the package `@lumenflow/integration-absent`: run `npm install @lumenflow/integration-absent` in the workspace',
    }),
  );
});

it('needs no package without an engine, or with the embedded one', () => {
  checkEnginePackage(undefined, tmpdir());
  checkEnginePackage({kind: 'embedded'}, tmpdir());
});
