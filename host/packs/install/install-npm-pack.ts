// Runs npm to install one package and its dependencies into a separate cache folder. No package scripts run.
import {failed, ok, type Failed, type Outcome} from '@lumenflow/kernel';
import type {PackPin} from '@lumenflow/schemas';
import {existsSync} from 'node:fs';
import {readFile, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import {isPackageName, npmPackFolder} from '../resolve-pack.ts';
import type {FetchedPack, FetchProblem, InstallContext} from './install-context.ts';
import {networkEnv, runFetchCommand} from './run-fetch-command.ts';
import {stageFolder} from './stage-folder.ts';

const flags = ['--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

export async function installNpmPack(
  pin: PackPin,
  context: InstallContext,
): Promise<Outcome<FetchedPack, FetchProblem>> {
  const {package: name = '', path: tarball, version} = pin;
  if (!isPackageName(name)) {
    return failed({
      code: 'PACK_SOURCE_REFUSED',
      message: `\`${name}\` is not a valid npm package name`,
      help: 'write the name as in package.json',
    });
  }
  if (tarball !== undefined && !existsSync(resolve(context.workspaceRoot, tarball))) return missing(tarball);
  const from = tarball ?? version;
  const spec = `${name}@${tarball === undefined ? version : `file:${resolve(context.workspaceRoot, tarball)}`}`;
  return await stageFolder(join(context.cacheFolder, 'npm'), async (staging) => {
    await writeFile(join(staging, 'package.json'), '{"private": true}\n');
    const ran = await runFetchCommand(
      {
        command: 'npm',
        args: ['install', ...flags, '--prefix', staging, '--', spec],
        cwd: staging,
        env: {...networkEnv(context.env), ...npmSettings(context.env)},
        failing: `${name}@${from} cannot be installed`,
      },
      context,
    );
    if (!ran.ok) return ran;
    const resolved = await resolvedPackage(staging, name);
    if (resolved !== undefined) return ok({folder: npmPackFolder(context.cacheFolder, name, from), resolved});
    return failed({
      code: 'PACK_SOURCE_REFUSED',
      message: `\`${from}\` does not contain the package \`${name}\``,
      help: 'name a tarball that `npm pack` made of this package',
    });
  });
}

function missing(tarball: string): Failed<FetchProblem> {
  return failed({
    code: 'PACK_FETCH_FAILED',
    message: `the file \`${tarball}\` does not exist`,
    help: `create it with \`npm pack\`, or correct \`path\`, which is relative to the workspace`,
  });
}

/** The environment can contain registries, keys and certificates. */
function npmSettings(env: InstallContext['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      value !== undefined && /^npm_config_/iu.test(name) ? [[name, value] as const] : [],
    ),
  );
}

/** The SHA-512 that npm recorded, which is the same for every registry. A folder, or a package of another name, has none. */
async function resolvedPackage(staging: string, name: string): Promise<string | undefined> {
  const lock = JSON.parse(await readFile(join(staging, 'package-lock.json'), 'utf8')) as {
    readonly packages?: Readonly<Record<string, {readonly integrity?: string} | undefined>>;
  };
  return lock.packages?.[`node_modules/${name}`]?.integrity;
}
