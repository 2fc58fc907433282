// The kernel of a guest: the newest one of the distribution on this machine that has the drivers of a virtual machine as modules.
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

export interface GuestKernel {
  readonly release: string;
  /** Absolute. */
  readonly imagePath: string;
  readonly modulesFolder: string;
}

/** In the order in which they are loaded. */
const drivers: readonly (readonly [name: string, folder: string])[] = [
  ['virtio_ring', 'virtio'],
  ['virtio', 'virtio'],
  ['virtio_mmio', 'virtio'],
  ['virtio_blk', 'block'],
  ['virtio_console', 'char'],
];
const flavour = /-cloud-(?:amd64|arm64)$/;

/** Undefined if the machine has none. */
export function findKernel(boot: string = '/boot', modules: string = '/lib/modules'): GuestKernel | undefined {
  if (!existsSync(boot) || !existsSync(modules)) return undefined;
  return readdirSync(modules)
    .filter((release) => flavour.test(release))
    .toSorted((a, b) => b.localeCompare(a, 'en', {numeric: true}))
    .map((release) => ({release, imagePath: join(boot, `vmlinuz-${release}`), modulesFolder: join(modules, release)}))
    .find((kernel) => existsSync(kernel.imagePath) && kernelModules(kernel).length === drivers.length);
}

/** The files of its drivers that exist, by name. */
export function kernelModules({modulesFolder}: Pick<GuestKernel, 'modulesFolder'>): readonly {
  readonly name: string;
  readonly path: string;
}[] {
  return drivers.flatMap(([name, folder]) => {
    const path = [`${name}.ko`, `${name}.ko.xz`]
      .map((file) => join(modulesFolder, 'kernel/drivers', folder, file))
      .find((file) => existsSync(file));
    return path === undefined ? [] : [{name, path}];
  });
}
