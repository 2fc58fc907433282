import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

const filesOfPackage = 20;
/** As half the files of installed packages are smaller than this, and a few are far larger. */
const sizes: readonly number[] = [200, 400, 700, 1_000, 1_500, 2_500, 6_000, 40_000];

/** What installing packages leaves: by default 10,000 files in 1,000 directories. */
export const writeTree = defineTool<{readonly files?: number}, number>({
  run({files = 10_000}, {workspace_root}) {
    for (let index = 0; index < files; index += 1) {
      const inPackage = `package-${Math.floor(index / filesOfPackage)}`;
      const folder = join(workspace_root, 'tree', inPackage, index % 2 === 0 ? '' : 'lib');
      if (index % filesOfPackage < 2) mkdirSync(folder, {recursive: true});
      writeFileSync(join(folder, `${index}.js`), Buffer.alloc(sizes[index % sizes.length] ?? 0, `${index}\n`));
    }
    return files;
  },
});
