// What the suite must know of a backend before it attacks it. WebAssembly is missing: no handler in JavaScript runs there, and
// sandbox/wasm has its own hostile modules.
import type {SandboxBackendName} from '@lumenflow/schemas';
import type {AttackedEngine} from './start-engine.ts';

export interface AttackedBackend {
  /** What runs its calls: on the machine of the attacks, as the attacking user. */
  readonly engine?: AttackedEngine;
  /** Only root can run its engine. */
  readonly needsRoot?: true;
  /** It works on copies of files: all its calls are transactional. */
  readonly copiesFiles?: true;
  /** A call takes seconds to start: measurements make fewer of them. */
  readonly startsSlowly?: true;
  /** Why it does not start some calls. Their attacks are `refused`: nothing was tried. */
  readonly refuses?: RegExp;
}

const notUtf8 = /is not UTF-8, and the configuration of a container cannot contain it/;

const notUtf8InCopies = /is not UTF-8, and a sandbox that gets copies of files cannot receive it/;
const noNetwork = /does not support `network_allowlist`: its \w+ have no network/;
const copiesWithoutNetwork = new RegExp(`${notUtf8InCopies.source}|${noNetwork.source}`);

export const attackedBackends: Partial<Record<SandboxBackendName, AttackedBackend>> = {
  bubblewrap: {},
  runc: {refuses: notUtf8},
  crun: {refuses: notUtf8},
  gvisor: {refuses: notUtf8},
  docker: {engine: 'docker', needsRoot: true, refuses: notUtf8},
  podman: {engine: 'podman', refuses: notUtf8},
  containerd: {engine: 'containerd', needsRoot: true, refuses: notUtf8},
  vm: {
    copiesFiles: true,
    startsSlowly: true,
    refuses: copiesWithoutNetwork,
  },
  remote: {engine: 'worker', copiesFiles: true, refuses: notUtf8InCopies},
  kubernetes: {
    engine: 'kubernetes',
    needsRoot: true,
    copiesFiles: true,
    startsSlowly: true,
    refuses: copiesWithoutNetwork,
  },
  'proxmox-lxc': {engine: 'proxmox', needsRoot: true, copiesFiles: true, startsSlowly: true, refuses: notUtf8InCopies},
};
