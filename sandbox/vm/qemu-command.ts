// The command line of a virtual machine: a kernel, a read-only disk, one port, a network card if its call has a network, and no other
// device.
import type {GuestSystem} from './guest-system/build-guest-system.ts';
import {networkOptions, networkVariable} from './machine-network.ts';
import {portName} from './guest-system/first-program.ts';

export interface QemuInput extends GuestSystem {
  readonly programPath: string;
  readonly kernelPath: string;
  /** Of the time stamp counter of this machine, which a guest reads. */
  readonly clockKilohertz: number;
  readonly memoryBytes: number;
  readonly processors: number;
  readonly hasNetwork: boolean;
  /** The socket that the port is connected to: `fd=3`, or `path=` and its path. */
  readonly port: string;
  /** The descriptor of a saved machine, which continues instead of booting. */
  readonly restoredFd?: number;
  /** The descriptor of a socket for commands to the machine, which is to be saved. */
  readonly controlFd?: number;
}

const megabyte = 1024 ** 2;
/** Of the translated code that software emulation keeps. */
const translationMegabytes = 128;

/** What QEMU itself needs besides the memory of its guest. */
export const qemuMemoryBytes: number = (translationMegabytes + 160) * megabyte;

export function qemuCommand(input: QemuInput): readonly string[] {
  const {programPath, kernelPath, initrdPath, diskPath, clockKilohertz, memoryBytes, processors} = input;
  const {hasNetwork, port, restoredFd, controlFd} = input;
  const kernelArguments = [
    'console=ttyS0 quiet reboot=t panic=-1 mitigations=off random.trust_cpu=on',
    // Measuring its clock fails on a busy machine, and the kernel then waits for ever.
    `no_timer_check tsc_early_khz=${clockKilohertz}`,
    ...(hasNetwork ? [`${networkVariable}=1`] : []),
  ].join(' ');
  const machine = 'microvm,x-option-roms=off,isa-serial=on,rtc=on,acpi=on';
  const options: readonly (readonly string[])[] = [
    ['-M', machine, '-accel', `tcg,thread=multi,tb-size=${translationMegabytes}`, '-cpu', 'max'],
    ['-m', `${Math.ceil(memoryBytes / megabyte)}`, '-smp', String(processors)],
    ['-kernel', kernelPath, '-initrd', initrdPath, '-append', kernelArguments],
    ['-nodefaults', '-no-user-config', '-nographic', '-no-reboot', '-serial', 'stdio'],
    ['-sandbox', 'on,obsolete=deny,elevateprivileges=deny,spawn=deny,resourcecontrol=deny'],
    ['-drive', `id=system,file=${diskPath},format=raw,if=none,readonly=on`],
    ['-device', 'virtio-blk-device,drive=system'],
    ['-chardev', `socket,id=port,${port}`],
    ['-device', 'virtio-serial-device', '-device', `virtserialport,chardev=port,name=${portName}`],
    hasNetwork ? networkOptions() : [],
    restoredFd === undefined ? [] : ['-incoming', `fd:${restoredFd}`],
    controlFd === undefined
      ? []
      : ['-chardev', `socket,id=control,fd=${controlFd}`, '-mon', 'chardev=control,mode=control'],
  ];
  return [programPath, ...options.flat()];
}
