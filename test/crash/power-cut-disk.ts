// A separate file system that loses its power: unsynced data is gone, as ext4 leaves it after the replay of its journal.
import {execFileSync} from 'node:child_process';
import {mkdirSync, mkdtempSync, realpathSync, rmSync, truncateSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';

export interface PowerCutDisk {
  /** Where it is mounted: absolute. */
  readonly folder: string;
  /** Brings to the disk what was written so far. */
  sync(): void;
  /** From now on nothing more gets onto the disk. */
  cutPower(): void;
  /** Mounts what is on the disk. */
  restart(): void;
  remove(): void;
}

const imageBytes = 192 * 1024 * 1024;
/** EXT4_IOC_SHUTDOWN with EXT4_GOING_FLAGS_NOLOGFLUSH. */
const shutdown =
  'open(my $disk, "<", $ARGV[0]) or die "$!"; my $flags = pack("L", 2); ioctl($disk, 0x8004587d, $flags) or die "$!"';

/** Undefined where this machine can make such a disk. */
export function whyNoPowerCuts(): string | undefined {
  if (process.getuid?.() !== 0) return 'only root can mount a file system';
  try {
    makePowerCutDisk().remove();
    return undefined;
  } catch (error) {
    return `ext4 cannot be mounted from a file: ${String(error)}`;
  }
}

export function makePowerCutDisk(): PowerCutDisk {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'lumenflow-disk-')));
  const folder = join(base, 'disk');
  let images = 1;
  const image = (): string => join(base, `image-${images}`);
  const mount = (): string => run('mount', '-t', 'ext4', '-o', 'loop', image(), folder);
  mkdirSync(folder);
  writeFileSync(image(), '');
  truncateSync(image(), imageBytes);
  run('mkfs.ext4', '-q', image());
  mount();
  return {
    folder,
    sync: () => void run('sync', '-f', folder),
    cutPower: () => void run('perl', '-e', shutdown, folder),
    restart() {
      // Sandboxes of others may still have the file system that lost its power: what it left is mounted from a copy.
      run('umount', '--lazy', folder);
      const left = image();
      images += 1;
      run('cp', '--sparse=always', left, image());
      rmSync(left);
      mount();
    },
    remove() {
      run('umount', '--lazy', folder);
      rmSync(base, {recursive: true});
    },
  };
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, {stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8'});
}
