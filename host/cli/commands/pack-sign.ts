// `lumenflow pack sign`: writes `pack.sig` beside a pack's manifest.
import {readFile, writeFile} from 'node:fs/promises';
import {join, resolve} from 'node:path';
import type {PackShipping} from '../../packs/judge-integrity.ts';
import {publishedFiles} from '../../packs/files/left-out-files.ts';
import {readNamedKey} from '../../keys/named-key.ts';
import {packIntegrity} from '../../packs/pack-integrity.ts';
import {readPackFiles} from '../../packs/files/pack-files.ts';
import {signatureFile, signPack} from '../../packs/signing/pack-signature.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {findPack} from '../lookup/find-pack.ts';
import {describeShipping} from '../rendering/describe-shipping.ts';

interface Options {
  readonly key: string;
}

export const packSign: Command<Options> = async (context, [name = '.'], {key: keyFile}) => {
  const key = readNamedKey(await readFile(resolve(context.cwd, keyFile), 'utf8'));
  if (!key) {
    throw new CliError('PACK_KEY_INVALID', `\`${keyFile}\` does not contain a signing key for packs`, {
      help: 'generate one with `lumenflow pack keygen NAME --out FILE`',
      exitCode: exitCode.usage,
    });
  }
  const {workspaceRoot, pin} = await findPack(context, name);
  if (pin.source !== 'local') {
    throw new CliError('USAGE', `the pack \`${pin.id}\` is a copy: its next installation would remove the signature`, {
      help: 'sign it in its source folder',
      exitCode: exitCode.usage,
    });
  }
  const hashed = await context.spin('hashing', () => packIntegrity({workspaceRoot, pin}));
  if (!hashed.ok) {
    throw new CliError('LOAD_FAILED', `the pack \`${pin.id}\` cannot be hashed`, {problems: hashed.problem});
  }
  const {id, version} = pin;
  const {integrity, shipping: shipped} = hashed.value;
  const folder = resolve(workspaceRoot, pin.path ?? '.');
  const file = join(folder, signatureFile);
  await writeFile(file, signPack({id, version, integrity}, key));
  const shipping = describeShipping({...shipped, missing: await missingFiles(folder, shipped)});
  const {style} = context;
  return {
    data: {id, version, integrity, file, public_key: key.verifierKey, ...shipping.data},
    note: () => shipping.note(context.errorStyle),
    text: () => `${style.good('✔')} ${key.signer.name} signed ${style.bold(`${id} ${version}`)}: ${integrity}`,
  };
};

/** A package without its signature would be unsigned. */
async function missingFiles(folder: string, {missing}: PackShipping): Promise<readonly string[]> {
  const published = await publishedFiles(await readPackFiles(folder));
  return published.has(signatureFile) ? missing : [...missing, signatureFile];
}
