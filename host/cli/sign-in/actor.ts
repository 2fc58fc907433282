// The name of an actor: a given one, else LUMENFLOW_ACTOR, else the name of the operating system's user. Commands act by
// `actingPerson`, because in a workspace with `sign_in` the signed-in person comes first.
import {isIdentifier} from '@lumenflow/kernel';
import {userInfo} from 'node:os';
import {CliError} from '../failures/cli-error.ts';
import type {CliContext} from '../command.ts';

/** The name that the command or its environment gives. Throws CliError INVALID_ACTOR if it is not a valid id. */
export function givenActor({env}: Pick<CliContext, 'env'>, as: string | undefined): string | undefined {
  const given = as ?? (env['LUMENFLOW_ACTOR'] || undefined);
  const valid: boolean = given === undefined || isIdentifier(given);
  if (valid) return given;
  throw new CliError('INVALID_ACTOR', `\`${given ?? ''}\` cannot be a name`, {
    help: 'use a letter or digit, then letters, digits, `.`, `_` and `-`, at most 128',
    exitCode: 2,
  });
}

/** For commands without a workspace of people. Throws like `givenActor`. */
export function actorOf(context: Pick<CliContext, 'env'>, as: string | undefined): string {
  return givenActor(context, as) ?? toIdentifier(userName());
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
