// Writes a service's pack to the cache, in a separate folder for each manifest. It loads like any other pack; its entries are data.
import {sha256Hex} from '@lumenflow/kernel/node';
import {join} from 'node:path';
import {writeWhole} from '../write-whole.ts';
import {planFile, planName, type DescribedService} from './describe-service.ts';

/** Returns the absolute path of the folder. */
export async function writeServicePack(
  folder: string,
  operations: DescribedService['operations'],
  manifest: string,
): Promise<string> {
  const plans = operations.map(
    // An object literal would give `__proto__` a meaning.
    ({plan}, index) => `export const ${planName(index)} = JSON.parse(${JSON.stringify(JSON.stringify(plan))});\n`,
  );
  const files = {
    'package.json': '{"private": true, "type": "module"}\n',
    [planFile]: plans.join(''),
    'manifest.yaml': manifest,
  };
  const place = join(folder, sha256Hex(Buffer.from(JSON.stringify(files))).slice(0, 16));
  for (const [name, text] of Object.entries(files)) await writeWhole(place, name, text);
  return place;
}
