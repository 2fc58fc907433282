// Creates the session's workspace: a clone of this repository, packs pinned by hash, and a workspace.yaml that governs it.
import {packIntegrity} from '@lumenflow/host';
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync} from 'node:fs';
import {basename, dirname, join, relative} from 'node:path';

export interface DemoWorkspace {
  readonly root: string;
  /** Number of files that git tracks. */
  readonly files: number;
  readonly packs: readonly {readonly id: string; readonly version: string; readonly integrity: string}[];
}

const repository = join(import.meta.dirname, '..', '..');
const packs = [
  {id: 'software-delivery', version: '0.1.0', path: 'packs/software-delivery', placeholder: 'SOFTWARE_DELIVERY'},
  {id: 'agent-runtime', version: '0.1.0', path: 'packs/agent-runtime', placeholder: 'AGENT_RUNTIME'},
  {id: 'probe', version: '0.1.0', path: 'examples/probe-pack', placeholder: 'PROBE'},
];
/** The packages of the repository's formatter. */
const formatter = ['oxfmt', '@oxfmt', 'tinypool'];

export async function makeWorkspace(root: string): Promise<DemoWorkspace> {
  await cloneRepository(root);
  installFormatter(root);
  // A secret as in real repositories: present, ignored by git, and not granted to anyone.
  writeFileSync(join(root, '.env'), 'API_KEY=do-not-tell-anyone\n');
  const pinned = await Promise.all(packs.map(async (pack) => ({...pack, ...(await pin(root, pack))})));
  let text = readFileSync(join(import.meta.dirname, 'workspace.yaml'), 'utf8');
  for (const {placeholder, pinPath, integrity} of pinned) {
    text = text.replace(`${placeholder}_PATH`, pinPath).replace(`${placeholder}_INTEGRITY`, integrity);
  }
  writeFileSync(join(root, 'workspace.yaml'), text);
  const files = (await git(root, ['ls-files', '-z'])).split('\0').length - 1;
  return {root, files, packs: pinned.map(({id, version, integrity}) => ({id, version, integrity}))};
}

/** Turns a checkout without history (an unpacked archive) into a repository with one commit. */
async function cloneRepository(root: string): Promise<void> {
  if (existsSync(join(repository, '.git'))) {
    const trust = join(dirname(root), `.${basename(root)}.gitconfig`);
    // The checkout may belong to another user, but this person asked to clone it.
    writeFileSync(trust, '[safe]\n\tdirectory = *\n');
    await git(dirname(root), ['clone', '--quiet', '--no-hardlinks', repository, root], {GIT_CONFIG_GLOBAL: trust});
    rmSync(trust);
    return;
  }
  const skipped = new Set(['node_modules', 'dist', '.lumenflow']);
  mkdirSync(root, {recursive: true});
  cpSync(repository, root, {recursive: true, filter: (source) => !skipped.has(basename(source))});
  const identity = ['-c', 'user.name=first session', '-c', 'user.email=first@session.example'];
  await git(root, ['init', '--quiet']);
  await git(root, ['add', '--all']);
  await git(root, [...identity, 'commit', '--quiet', '-m', 'first']);
}

function installFormatter(root: string): void {
  for (const name of formatter) {
    const source = join(repository, 'node_modules', name);
    if (existsSync(source)) cpSync(source, join(root, 'node_modules', name), {recursive: true, dereference: true});
  }
  const bindings = join(root, 'node_modules', '@oxfmt');
  if (!existsSync(bindings) || readdirSync(bindings).length === 0) {
    throw new Error('the formatter oxfmt is not installed for this machine: run `npm install` in the repository');
  }
}

async function pin(root: string, pack: (typeof packs)[number]): Promise<{pinPath: string; integrity: string}> {
  const pinPath = relative(root, join(repository, pack.path));
  const result = await packIntegrity({
    workspaceRoot: root,
    pin: {id: pack.id, version: pack.version, source: 'local', path: pinPath, integrity: 'dev'},
  });
  if (result.ok) return {pinPath, integrity: result.value.integrity};
  throw new Error(result.problem.map(({where, message}) => `${where}: ${message}`).join('\n'));
}

async function git(cwd: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const {exitCode, stdout, stderr} = await createSpawnExecutor().run({
    command: 'git',
    args,
    cwd,
    env: {PATH: process.env['PATH'] ?? '', ...env},
    outputSink: {kind: 'capture', maxBytes: 16 * 1024 * 1024},
  });
  if (exitCode !== 0) throw new Error(`git ${args[0] ?? ''} failed: ${stderr.trim()}`);
  return stdout;
}
