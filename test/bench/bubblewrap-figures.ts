// What a start under bubblewrap adds to bubblewrap itself.
import {bareBubblewrap} from './bare-bubblewrap.ts';
import {compare} from './compare.ts';
import {operations, type Effort} from './effort.ts';
import type {Figure} from './figure.ts';
import {openSandboxCall} from './open-sandbox-call.ts';
import {oneByOne} from './samplers.ts';

export async function* bubblewrapFigures(effort: Effort): AsyncGenerator<Figure> {
  // A runner that ends at once without a word: what is left is setting up and taking down.
  const hardened = await openSandboxCall({nodePath: '/bin/true'}, () => '/bin/true#true');
  const count = operations(effort, 12);
  try {
    yield await compare({
      id: 'sandbox.hardened_true',
      title: 'hardened sandbox around /bin/true',
      unit: 'ms',
      runs: effort.runs,
      sample: oneByOne(count, hardened.run),
      baseline: {title: 'bwrap --unshare-all /bin/true', sample: oneByOne(count, () => bareBubblewrap(['/bin/true']))},
      bar: {of: 'ratio', limit: 2},
    });
  } finally {
    await hardened.close();
  }
}
