// The kernel for new work. A reload of packs replaces it. Work in flight, and the calls that it makes, end on their first kernel;
// packs that only this kernel used are released afterwards.
import {createGrantCache} from '../context/grant-cache.ts';
import type {Kernel} from '../context/kernel.ts';
import type {LoadedPack} from '../packs/loaded-pack.ts';
import {createPolicyDigestCache} from '../policy/policy-digest-cache.ts';
import type {CompiledWorkspace} from '../workspace/compiled-workspace.ts';

/** A kernel and how much runs on it. */
export interface Generation {
  readonly kernel: Kernel;
  running: number;
}

export interface LiveKernel {
  readonly current: Kernel;
  /** Each is to be left once. */
  enter(): Generation;
  leave(generation: Generation): void;
  /** What is entered from now on works with the other packs, on the same ports and state. */
  swap(workspace: CompiledWorkspace): void;
}

/** `release` is called once for each pack that nothing can use any more. */
export function createLiveKernel(first: Kernel, release: (pack: LoadedPack) => void): LiveKernel {
  let current: Generation = {kernel: first, running: 0};
  const living = new Set([current]);

  function retire(generation: Generation): void {
    if (generation === current || generation.running > 0) return;
    living.delete(generation);
    const used = new Set([...living].flatMap(({kernel}) => [...kernel.workspace.packs.values()]));
    for (const pack of generation.kernel.workspace.packs.values()) if (!used.has(pack)) release(pack);
  }

  return {
    get current() {
      return current.kernel;
    },
    enter() {
      current.running += 1;
      return current;
    },
    leave(generation) {
      generation.running -= 1;
      if (generation !== current) retire(generation);
    },
    swap(workspace) {
      const old = current;
      const {kernel} = old;
      const sha256 = (text: string): string => kernel.ports.digest.sha256(text);
      current = {
        kernel: {
          ...kernel,
          workspace,
          grants: createGrantCache(workspace.holes),
          policyDigestCache: createPolicyDigestCache(workspace.allowLoosening, sha256),
        },
        running: 0,
      };
      living.add(current);
      retire(old);
    },
  };
}
