import {existsSync, realpathSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import {createSpawnExecutor} from '../../commands/create-spawn-executor.ts';
import {imageFiles} from './image-files.ts';

test.skipIf(process.platform !== 'linux')(
  'an addon finds the parts of the C library that Node is not linked with',
  async () => {
    const files = await imageFiles({nodePath: realpathSync(process.execPath), executor: createSpawnExecutor()});
    const paths = new Set(files.map(({path}) => path));
    const libraries = dirname(files.find(({path}) => path.endsWith('/libm.so.6'))?.path ?? '');
    const here = ['librt.so.1', 'libresolv.so.2', 'libutil.so.1'].filter((name) => existsSync(join(libraries, name)));
    expect(here.length).toBeGreaterThan(0);
    expect(here.filter((name) => !paths.has(join(libraries, name)))).toEqual([]);
  },
);
