// `lumenflow workers add` and `forget`: the workers in workspace.yaml.
import {parseVerifierKey} from '@lumenflow/kernel/node';
import type {RemoteWorker} from '@lumenflow/schemas';
import {createPrivateKey, X509Certificate} from 'node:crypto';
import {readFile} from 'node:fs/promises';
import {isAbsolute, join, relative, resolve, sep} from 'node:path';
import type {Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {isLoopbackUrl} from '../../notifications/allowed-address.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {writeWhole} from '../../write-whole.ts';
import {withoutWorker, withWorker} from '../workers/edit-workers.ts';

const fileName = 'workspace.yaml';

interface ForgetOptions {
  readonly distrust?: boolean;
}

interface AddOptions {
  readonly ca?: string;
  readonly clientCert?: string;
  readonly clientKey?: string;
  readonly insecureHttp?: boolean;
}

export const workersAdd: Command<AddOptions> = async (context, [name = '', url = '', key = ''], options) => {
  checkWorker({name, url, key}, options);
  const root = findWorkspace(context);
  const at = (path: string | undefined): string | undefined => path && resolve(context.cwd, path);
  await checkPem(at(options.ca), {what: 'certificate', parse: (pem) => new X509Certificate(pem)});
  await checkPem(at(options.clientCert), {what: 'certificate', parse: (pem) => new X509Certificate(pem)});
  await checkPem(at(options.clientKey), {what: 'private key', parse: (pem) => createPrivateKey(pem)});
  const [ca, client_cert, client_key] = [options.ca, options.clientCert, options.clientKey].map(
    (path) => path && fromRoot(root, resolve(context.cwd, path)),
  );
  const worker = {name, url, key, ...(ca && {ca}), ...(client_cert && client_key && {client_cert, client_key})};
  await writeWhole(root, fileName, withWorker(await readFile(join(root, fileName), 'utf8'), worker, now()));
  const {style, errorStyle} = context;
  return {
    data: {worker},
    text: () => `${style.good('✔')} ${fileName} names the worker ${style.bold(name)}`,
    note: () => errorStyle.dim('calls run on workers with `security.sandbox.backend: remote`'),
  };
};

export const workersForget: Command<ForgetOptions> = async (context, [name = ''], {distrust = false}) => {
  const root = findWorkspace(context);
  const until = distrust ? undefined : now();
  const text = withoutWorker(await readFile(join(root, fileName), 'utf8'), name, until);
  if (text === undefined)
    throw refuse(`${fileName} names no worker \`${name}\``, 'list them with `lumenflow workers list`');
  await writeWhole(root, fileName, text);
  const {style, errorStyle} = context;
  return {
    data: {worker: name},
    text: () => `${style.good('✔')} ${fileName} no longer names the worker ${cleanText(name)}`,
    note: () =>
      errorStyle.dim(
        distrust
          ? 'what it attested is no longer valid'
          : 'what it attested until now stays valid: if its key was stolen, remove it from `former_keys`',
      ),
  };
};

/** Throws CliError INVALID_ARGUMENT. */
function checkWorker({name, url, key}: RemoteWorker, options: AddOptions): void {
  if (!/^[a-z0-9][a-z0-9._-]{0,62}$/u.test(name)) {
    throw refuse(`\`${name}\` is not a valid name`, 'use lower-case letters, digits, `.`, `_` and `-`');
  }
  if (!isOrigin(url))
    throw refuse(`\`${url}\` is not the address of a worker`, 'write https://HOST:PORT, without a path');
  const {protocol} = new URL(url);
  if (protocol === 'http:' && options.insecureHttp !== true && !isLoopbackUrl(new URL(url))) {
    throw refuse(
      `\`${url}\` is on another machine, and contents of files would travel without TLS`,
      'write https://, or give `--insecure-http` in a network that you trust',
    );
  }
  if (parseVerifierKey(key) === undefined) {
    throw refuse(`\`${key}\` is not a public key`, 'copy the whole line that `lumenflow worker key` printed there');
  }
  if ((options.clientCert === undefined) !== (options.clientKey === undefined)) {
    throw refuse('a certificate of this host needs its private key', 'give `--client-cert` and `--client-key`');
  }
  if (protocol === 'http:' && [options.ca, options.clientCert].some((path) => path !== undefined)) {
    throw refuse(`\`${url}\` does not use certificates`, 'write https://, or omit `--ca` and `--client-cert`');
  }
}

/** Rejects a file that is missing or that another option needs, before workspace.yaml names it. */
async function checkPem(
  path: string | undefined,
  {what, parse}: {readonly what: string; parse(pem: string): unknown},
): Promise<void> {
  if (path === undefined) return;
  try {
    parse(await readFile(path, 'utf8'));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw refuse(`\`${path}\` is not a ${what} in PEM (${reason})`, 'correct the path, or convert the file');
  }
}

/** As workspace.yaml contains it: relative if it is in the workspace. */
function fromRoot(root: string, path: string): string {
  const inside = relative(root, path);
  return inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside) ? path : inside;
}

const now = (): string => new Date().toISOString();

function isOrigin(text: string): boolean {
  if (!/^https?:/u.test(text) || !URL.canParse(text)) return false;
  return new URL(text).origin === text.replace(/\/$/u, '');
}

function refuse(message: string, help: string): CliError {
  return new CliError('INVALID_ARGUMENT', message, {help, exitCode: exitCode.usage});
}
