// Resolves the actor: `--as`, else LUMENFLOW_ACTOR, else the name of the operating system's user.
import {isIdentifier} from '@lumenflow/kernel';
import {userInfo} from 'node:os';
import {CliError} from './failures/cli-error.ts';
import type {CliContext} from './command.ts';

/** Throws CliError INVALID_ACTOR if a given name is not a valid id. */
export function actorOf({env}: Pick<CliContext, 'env'>, as: string | undefined): string {
  const given = as ?? (env['LUMENFLOW_ACTOR'] || undefined);
  if (given === undefined) return toIdentifier(userName());
  const valid: boolean = isIdentifier(given);
  if (valid) return given;
  throw new CliError('INVALID_ACTOR', `\`${given}\` cannot be a name`, {
    help: 'use a letter or digit, then letters, digits, `.`, `_` and `-`, at most 128',
    exitCode: 2,
  });
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    // A user id without an entry in the system's list of users.
    return `uid-${process.getuid?.() ?? 'unknown'}`;
  }
}

/** Letters lose their accents. Characters that an id cannot contain become `-`. */
export function toIdentifier(name: string): string {
  const id = name
    .normalize('NFKD')
    .replaceAll(/\p{Mark}+/gu, '')
    .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
    .slice(0, 128)
    .replaceAll(/^[._-]+|-+$/gu, '');
  return isIdentifier(id) ? id : 'user';
}
