// The kernel of a guest: the newest one of the distribution on this machine that has the drivers of a virtual machine as modules.
import {existsSync, readdirSync} from 'node:fs';
import {join} from 'node:path';

export interface GuestKernel {
  readonly release: string;
  /** Absolute. */
  readonly imagePath: string;
  readonly modulesFolder: string;
}

export interface GuestModule {
  readonly name: string;
  /** Below the folder `kernel` of the modules. */
  readonly folder: string;
  /** Absolute. */
  readonly path: string;
  /** What needs it: one of the ways to the host, or the network; undefined: every guest. */
  readonly neededFor?: 'port' | 'vsock' | 'network';
}

/** In the order in which they are loaded. */
const drivers: readonly Omit<GuestModule, 'path'>[] = [
  {name: 'virtio_ring', folder: 'drivers/virtio'},
  {name: 'virtio', folder: 'drivers/virtio'},
  {name: 'virtio_mmio', folder: 'drivers/virtio'},
  {name: 'virtio_blk', folder: 'drivers/block'},
  {name: 'virtio_console', folder: 'drivers/char', neededFor: 'port'},
  {name: 'vsock', folder: 'net/vmw_vsock', neededFor: 'vsock'},
  {name: 'vmw_vsock_virtio_transport_common', folder: 'net/vmw_vsock', neededFor: 'vsock'},
  {name: 'vmw_vsock_virtio_transport', folder: 'net/vmw_vsock', neededFor: 'vsock'},
  {name: 'failover', folder: 'net/core', neededFor: 'network'},
  {name: 'net_failover', folder: 'drivers/net', neededFor: 'network'},
  {name: 'virtio_net', folder: 'drivers/net', neededFor: 'network'},
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
export function kernelModules({modulesFolder}: Pick<GuestKernel, 'modulesFolder'>): readonly GuestModule[] {
  return drivers.flatMap((driver) => {
    const {name, folder} = driver;
    const path = [`${name}.ko`, `${name}.ko.xz`]
      .map((file) => join(modulesFolder, 'kernel', folder, file))
      .find((file) => existsSync(file));
    return path === undefined ? [] : [{...driver, path}];
  });
}
