// `lumenflow pack publish`: checks exactly the files that npm would ship, and publishes them.
import {createSpawnExecutor} from '@lumenflow/sandbox';
import {existsSync} from 'node:fs';
import {mkdtemp, readFile, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {readPackFiles, type PackFiles} from '../../packs/files/pack-files.ts';
import type {InstallContext} from '../../packs/install/install-context.ts';
import {runFetchCommand} from '../../packs/install/run-fetch-command.ts';
import type {PackShipping} from '../../packs/judge-integrity.ts';
import {packIntegrity} from '../../packs/pack-integrity.ts';
import {packTarball} from '../../packs/pack-tarball.ts';
import {checkSignature, signatureFile} from '../../packs/signing/pack-signature.ts';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext, Command} from '../command.ts';
import {findPack} from '../lookup/find-pack.ts';
import {cleanText} from '../rendering/clean-text.ts';

interface Options {
  readonly dryRun?: boolean;
}

export const packPublish: Command<Options> = async (context, [name = '.'], {dryRun = false}) => {
  const {workspaceRoot, pin} = await findPack(context, name);
  const root = resolve(workspaceRoot, pin.path ?? '.');
  const hashed = await context.spin('hashing', () => packIntegrity({workspaceRoot, pin}));
  if (!hashed.ok)
    throw new CliError('LOAD_FAILED', `the pack \`${pin.id}\` cannot be hashed`, {problems: hashed.problem});
  const {integrity, shipping} = hashed.value;
  if (!existsSync(join(root, 'package.json')))
    throw notPublishable(pin.id, ['package.json is missing: write one with `name`, `version` and `files`']);
  const into = await mkdtemp(join(tmpdir(), 'lumenflow-publish-'));
  try {
    const install = installContext(context, root);
    const env = ownEnv(context);
    const packed = await context.spin('packing', () => packTarball({root, into, env}, install));
    if (!packed.ok) throw new CliError(packed.problem.code, packed.problem.message, {help: packed.problem.help});
    const {file, content} = packed.value;
    const note = await readText(join(content.root, signatureFile));
    const {state, key} = checkSignature(note, {...pin, integrity}, []);
    const faults = [
      ...(await packageFaults(content, pin.version)),
      ...contentFaults(content, await readPackFiles(root), shipping),
      ...(state === 'modified' || state === 'invalid'
        ? [`${signatureFile} does not match the files: sign the pack again`]
        : []),
    ];
    if (faults.length > 0) throw notPublishable(pin.id, faults);
    if (!dryRun) await publish(file, {root, env}, install);
    const files = [...content.hashes.keys(), ...(note === undefined ? [] : [signatureFile])].toSorted();
    const {style, errorStyle} = context;
    return {
      data: {
        id: pin.id,
        version: pin.version,
        integrity,
        files,
        signature: state,
        ...(key !== undefined && {key}),
        published: !dryRun,
      },
      text: () => files.map(cleanText).join('\n'),
      note: () =>
        [
          `${errorStyle.dim('integrity')}  ${integrity}`,
          `${errorStyle.dim('signature')}  ${key ?? 'none: sign the pack with `lumenflow pack sign --key FILE`'}`,
          dryRun
            ? errorStyle.dim('nothing was published: omit --dry-run to publish')
            : `${style.good('✔')} published ${pin.id} ${pin.version}`,
        ].join('\n'),
    };
  } finally {
    await rm(into, {recursive: true, force: true});
  }
};

/** Npm finds the user's login and settings by the environment. */
function ownEnv({env}: CliContext): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([key, value]) => (value === undefined ? [] : [[key, value] as const])),
  );
}

function installContext({env, signal}: CliContext, root: string): InstallContext {
  return {workspaceRoot: root, cacheFolder: root, executor: createSpawnExecutor(), denyOverlays: [], env, signal};
}

async function packageFaults(content: PackFiles, version: string): Promise<readonly string[]> {
  const text = new TextDecoder().decode(await content.read('package.json'));
  const declared = JSON.parse(text) as {readonly version?: unknown; readonly private?: unknown};
  return [
    ...(declared.private === true ? ['package.json says `"private": true`: remove it'] : []),
    ...(declared.version === version
      ? []
      : [
          `the version in package.json is ${String(declared.version)}, but ${version} in the manifest: make them equal`,
        ]),
  ];
}

/** Scripts of the package can change files while npm packs them. */
function contentFaults(content: PackFiles, own: PackFiles, {shipped, missing}: PackShipping): readonly string[] {
  const changed = [...content.hashes].filter(([path, hash]) => own.hashes.get(path) !== hash).map(([path]) => path);
  const lost = [...missing, ...shipped.filter((path) => !content.has(path))];
  return [
    ...lost.map((path) => `\`${path}\` is not shipped: add it to \`files\` in package.json`),
    ...changed.map((path) => `\`${path}\` changed while npm packed it: build before you sign`),
  ];
}

function notPublishable(id: string, faults: readonly string[]): CliError {
  const problems = faults.map((message) => ({
    code: 'PACK_NOT_PUBLISHABLE',
    severity: 'error' as const,
    message,
    where: 'package.json',
  }));
  return new CliError('PACK_NOT_PUBLISHABLE', `the pack \`${id}\` cannot be published as it is`, {problems});
}

async function publish(
  file: string,
  {root, env}: {readonly root: string; readonly env: Readonly<Record<string, string>>},
  install: InstallContext,
): Promise<void> {
  const failing = 'npm cannot publish the pack';
  const ran = await runFetchCommand({command: 'npm', args: ['publish', '--', file], cwd: root, env, failing}, install);
  if (!ran.ok) throw new CliError(ran.problem.code, ran.problem.message, {help: 'try `npm publish` in the folder'});
}

async function readText(file: string): Promise<string | undefined> {
  return await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
}
