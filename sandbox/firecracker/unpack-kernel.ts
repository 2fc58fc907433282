// Firecracker starts kernels as ELF files, and distributions pack them: a boot sector, a loader, and the compressed ELF file.
import {createHash, randomUUID} from 'node:crypto';
import {existsSync} from 'node:fs';
import {readFile, rename, rm, stat, utimes, writeFile} from 'node:fs/promises';
import {join} from 'node:path';
import type {CommandExecutor} from '../commands/command-executor.ts';
import {findProgram} from '../commands/find-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {GuestKernel} from '../vm/guest-system/find-kernel.ts';
import {ownCache} from '../cache/own-cache.ts';

/** By the first bytes of what they packed. Debian uses LZ4, and Ubuntu Zstandard. */
const unpackers: readonly {readonly program: string; readonly magic: string}[] = [
  {program: 'lz4', magic: '02214c18'},
  {program: 'zstd', magic: '28b52ffd'},
  {program: 'xz', magic: 'fd377a58'},
  {program: 'gzip', magic: '1f8b'},
];
const unpackMs = 60_000;
const sectorBytes = 512;
/** The build appends the unpacked size, which is not part of the compressed file. */
const sizeBytes = 4;

/** Returns the absolute path of the ELF file, which is kept for later hosts of this user. */
export async function unpackKernel({imagePath}: GuestKernel, executor: CommandExecutor): Promise<Outcome<string>> {
  const cache = ownCache();
  if (!cache.ok) return failed({message: cache.problem, help: 'remove the folder'});
  const {size, mtimeMs} = await stat(imagePath);
  const identity = createHash('sha256').update(`${imagePath} ${size} ${mtimeMs}`);
  const path = join(cache.value, `kernel-${identity.digest('hex').slice(0, 32)}`);
  if (existsSync(path)) {
    // What nothing has used for a month is removed.
    await utimes(path, new Date(), new Date());
    return ok(path);
  }
  const packed = packedKernel(await readFile(imagePath));
  const program = unpackers.find(({magic}) => packed.toString('hex', 0, 4).startsWith(magic))?.program ?? 'gzip';
  const programPath = findProgram(program);
  if (programPath === undefined) {
    return failed({message: `${program} is not installed`, help: `install it with \`apt-get install ${program}\``});
  }
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(`${draft}.packed`, packed, {mode: 0o600});
    const {exitCode, stderr} = await executor.run({
      command: '/bin/sh',
      args: ['-c', 'exec "$0" -dc <"$1.packed" >"$1"', programPath, draft],
      cwd: '/',
      env: {},
      outputSink: {kind: 'capture', maxBytes: 4000},
      timeoutMs: unpackMs,
    });
    if (exitCode !== 0) return failed(notUnpacked(imagePath, stderr.trim()));
    await rename(draft, path);
    return ok(path);
  } finally {
    await Promise.all([draft, `${draft}.packed`].map((each) => rm(each, {force: true})));
  }
}

/** See `payload_offset` and `payload_length` in the boot protocol of Linux on x86. */
export function packedKernel(image: Buffer): Buffer {
  const sectors = image.readUInt8(0x1f1) || 4;
  const start = (sectors + 1) * sectorBytes + image.readUInt32LE(0x248);
  const packed = image.subarray(start, start + image.readUInt32LE(0x24c));
  return packed.subarray(0, packed.length - sizeBytes);
}

function notUnpacked(imagePath: string, said: string): {readonly message: string; readonly help: string} {
  return {
    message: `the kernel \`${imagePath}\` cannot be unpacked (\`${said}\`)`,
    help: 'install the package of that kernel again, for example `linux-image-cloud-amd64`',
  };
}
