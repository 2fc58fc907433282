// `lumenflow worker key` and `lumenflow workers key`: the keys of a worker, and those of a host.
import type {Outcome} from '@lumenflow/kernel';
import {hostname} from 'node:os';
import {addKey, ensureKeys, removeKey, type KeyProblem, type OwnKey} from '../../keys/key-folder.ts';
import {machineFoldersOf} from '../../keys/machine-folders.ts';
import {isKeyName} from '../../keys/named-key.ts';
import type {CliContext, Command} from '../command.ts';
import {CliError} from '../failures/cli-error.ts';
import {exitCode} from '../failures/exit-code.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {keyValue} from './key-value.ts';

export interface OwnKeysOptions {
  readonly name?: string;
  readonly new?: boolean;
  readonly remove?: string;
}

export interface KeyOwner {
  readonly folderOf: (folders: ReturnType<typeof machineFoldersOf>) => string;
  /** What to do with the public key that is printed. */
  readonly advice: string;
}

/** Prints the newest public key on stdout; others on stderr. */
export function ownKeysCommand({folderOf, advice}: KeyOwner): Command<OwnKeysOptions> {
  return async (context, _args, options) => {
    const folder = folderOf(machineFoldersOf(context.env));
    const keys = keyValue(await changed(folder, options));
    const newest = keys.at(-1);
    if (newest === undefined) throw new CliError('KEY_UNUSABLE', `\`${folder}\` contains no key`);
    return {
      data: {
        public_key: newest.verifierKey,
        keys: keys.map(({id, verifierKey, file}) => ({id, public_key: verifierKey, file})),
      },
      text: () => newest.verifierKey,
      note: () => noteOf(keys, newest, {context, advice}),
    };
  };
}

async function changed(folder: string, options: OwnKeysOptions): Promise<Outcome<readonly OwnKey[], KeyProblem>> {
  const name = options.name ?? defaultName();
  if (!isKeyName(name)) {
    throw new CliError('USAGE', `\`${name}\` is not a valid name for a key`, {
      help: 'use letters, digits, `.`, `_`, `/`, `@` and `-`',
      exitCode: exitCode.usage,
    });
  }
  if (options.remove !== undefined) return await removeKey(folder, options.remove);
  return options.new === true ? await addKey(folder, name) : await ensureKeys(folder, name);
}

function defaultName(): string {
  const name = hostname()
    .replaceAll(/[^A-Za-z0-9._-]/gu, '-')
    .slice(0, 128);
  return isKeyName(name) ? name : 'lumenflow';
}

function noteOf(
  keys: readonly OwnKey[],
  newest: OwnKey,
  {context, advice}: {readonly context: CliContext; readonly advice: string},
): string {
  const {dim} = context.errorStyle;
  const older = keys.filter((key) => key !== newest).map(({id}) => `the older key ${cleanText(id)} is still valid`);
  return [dim(advice), ...older.map((line) => dim(`${line}: remove it with \`--remove\` when it is not needed`))].join(
    '\n',
  );
}
