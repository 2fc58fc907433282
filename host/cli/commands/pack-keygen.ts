// `lumenflow pack keygen`: generates a signing key for packs.
import {writeFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {isKeyName, makeNamedKey} from '../../keys/named-key.ts';
import {CliError} from '../failures/cli-error.ts';
import type {Command} from '../command.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';

interface Options {
  readonly out: string;
}

export const packKeygen: Command<Options> = async (context, [name = ''], {out}) => {
  if (!isKeyName(name)) {
    throw new CliError('USAGE', `\`${name}\` is not a valid name for a key`, {
      help: 'use the name of the signer, for example `example.com/packs`: letters, digits, `.`, `_`, `/`, `@` and `-`',
      exitCode: exitCode.usage,
    });
  }
  const file = resolve(context.cwd, out);
  const {text, verifierKey} = makeNamedKey(name);
  await writeNew(file, text);
  const {style, errorStyle} = context;
  return {
    data: {name, file, public_key: verifierKey},
    text: () => verifierKey,
    note: () =>
      [
        `${errorStyle.good('✔')} ${cleanText(file)} signs packs: keep it secret`,
        style.dim('to trust it, add the line above to `security.packs.trusted_keys` in workspace.yaml'),
      ].join('\n'),
  };
};

/** Throws CliError FILE_EXISTS: a key is never overwritten. */
async function writeNew(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text, {flag: 'wx', mode: 0o600});
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    throw new CliError('FILE_EXISTS', `\`${file}\` already exists`, {
      help: 'name another file with --out, or use the existing key',
      exitCode: exitCode.usage,
    });
  }
}
