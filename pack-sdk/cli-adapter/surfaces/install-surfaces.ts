// All replacements in the process while commands run, installed and removed together.
import {syncBuiltinESMExports} from 'node:module';
import {createPatches, type SurfaceRuns} from './patches.ts';
import {patchChildren} from './patch-children.ts';
import {patchDescriptors} from './patch-descriptors.ts';
import {patchOutput} from './patch-output.ts';
import {patchProcess} from './patch-process.ts';
import {takeUncaught} from './take-uncaught.ts';

/** Gives a function that puts everything back. */
export function installSurfaces(runs: SurfaceRuns): () => void {
  const patches = createPatches(() => runs.current());
  const giveBackUncaught = takeUncaught(runs);
  patchProcess(patches);
  patchOutput(patches);
  patchDescriptors(patches);
  patchChildren(patches);
  const webAssembly = Reflect.get(globalThis, 'WebAssembly') as object;
  // The one thing asynchronous that no async hook reports.
  for (const key of ['compile', 'instantiate', 'compileStreaming', 'instantiateStreaming']) {
    patches.intercept(webAssembly, key, ({run, proceed}) => run.resources.hold(proceed() as Promise<unknown>));
  }
  // So that `import {writeSync} from 'node:fs'` sees it too.
  syncBuiltinESMExports();
  return () => {
    patches.restore();
    giveBackUncaught();
    syncBuiltinESMExports();
  };
}
