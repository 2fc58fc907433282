// The root of an image, made from programs of this machine: what a Dockerfile needs of its base, without a registry of images.
import {execFileSync} from 'node:child_process';
import {chmodSync, cpSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';

const textOf = (program: string, args: readonly string[]): string =>
  execFileSync(program, [...args], {encoding: 'utf8'});

/** Commands of Busybox that scripts use. */
const commands = ['sh', 'cat', 'chown', 'cp', 'env', 'ls', 'mkdir', 'mv', 'rm', 'sed', 'true', 'uname'];

/** Writes Node, npm, git, bubblewrap and a shell into the folder. Throws if one of them is missing. */
export function writeMachineRoot(root: string): void {
  for (const folder of ['bin', 'etc', 'proc', 'dev', 'root', 'tmp', 'usr/bin', 'usr/lib/node_modules', 'var/lib'])
    mkdirSync(join(root, folder), {recursive: true});
  chmodSync(join(root, 'tmp'), 0o1777);
  for (const program of ['git', 'bwrap']) copyProgram(root, textOf('which', [program]).trim(), `usr/bin/${program}`);
  copyProgram(root, process.execPath, 'usr/bin/node');
  copyProgram(root, textOf('which', ['busybox']).trim(), 'bin/busybox');
  for (const command of commands)
    symlinkSync('/bin/busybox', join(root, command === 'env' ? 'usr/bin' : 'bin', command));
  cpSync(join(textOf('npm', ['root', '--global']).trim(), 'npm'), join(root, 'usr/lib/node_modules/npm'), {
    recursive: true,
    dereference: true,
  });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(root, 'usr/bin/npm'));
  const certificates = '/etc/ssl/certs/ca-certificates.crt';
  const npmSettings = [`registry=${textOf('npm', ['config', 'get', 'registry']).trim()}`, 'fetch-retries=0'];
  if (existsSync(certificates)) npmSettings.push(`cafile=${certificates}`);
  writeFileSync(join(root, 'root/.npmrc'), npmSettings.map((line) => `${line}\n`).join(''));
  writeFileSync(join(root, 'etc/passwd'), 'root:x:0:0::/root:/bin/sh\n');
  if (existsSync(certificates)) copyFile(root, certificates, certificates);
}

/** With the libraries that it is linked to. */
function copyProgram(root: string, path: string, to: string): void {
  copyFile(root, path, to);
  let linked = '';
  try {
    linked = textOf('ldd', [path]);
  } catch {
    // A static program has none.
  }
  for (const [, library = ''] of linked.matchAll(/(\/[^\s:]+) \(0x/gu)) copyFile(root, library, library);
}

function copyFile(root: string, path: string, to: string): void {
  const target = join(root, to);
  if (existsSync(target)) return;
  mkdirSync(dirname(target), {recursive: true});
  cpSync(realpathSync(path), target);
}
