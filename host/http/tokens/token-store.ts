// The tokens for the HTTP API. A token is 256 random bits, so its plain SHA-256 reveals nothing about it.
import {isIdentifier} from '@lumenflow/kernel';
import type {Person} from '@lumenflow/schemas';
import {hash, randomBytes, timingSafeEqual} from 'node:crypto';
import {join} from 'node:path';
import {
  changeTokenFile,
  readTokenFile,
  TokenFileError,
  tokenFileVersion,
  type Role,
  type StoredToken,
} from './token-file.ts';

/** The owner of a token: a program, or a person. The name is the actor (`by`) of all its requests. */
export interface Principal {
  readonly name: string;
  readonly role: Role;
  /** Who it is, if a person signed in at the issuer. */
  readonly person?: Person;
}

export interface TokenEntry extends Principal {
  /** UTC, ISO 8601. */
  readonly created_at: string;
}

/** Reads changes by other processes immediately. All members throw TokenFileError if the file cannot be used. */
export interface TokenStore {
  /** Absolute path of the file. */
  readonly path: string;
  authenticate(token: string): Principal | undefined;
  list(): readonly TokenEntry[];
  /** Returns the token, which is not stored. Throws TokenFileError if the name is taken or is not a valid identifier. */
  issue(principal: Principal): Promise<string>;
  /** Returns false if no token has this name. */
  revoke(name: string): Promise<boolean>;
  /** Creates an admin token named `admin` if there is no token, to show to a person once. */
  issueFirst(): Promise<string | undefined>;
}

/** Writes nothing before a token is issued. Throws TokenFileError if the file cannot be used. */
export function openTokenStore(workspaceRoot: string): TokenStore {
  const path = join(workspaceRoot, '.lumenflow', 'http', 'tokens.json');
  let version: string | undefined;
  let tokens: readonly StoredToken[] = [];
  const read = (): readonly StoredToken[] => {
    const now = tokenFileVersion(path);
    if (now !== version) {
      tokens = readTokenFile(path);
      version = now;
    }
    return tokens;
  };
  read();
  return {
    path,
    authenticate: (token) => findToken(read(), token),
    list: () => read().map(({name, role, created_at}) => ({name, role, created_at})),
    issue: (principal) => changeTokenFile(path, (standing) => addToken(standing, principal)),
    revoke: (name) =>
      changeTokenFile(path, (standing) => {
        const kept = standing.filter((token) => token.name !== name);
        return kept.length === standing.length ? {result: false} : {tokens: kept, result: true};
      }),
    async issueFirst() {
      if (read().length > 0) return undefined;
      return await changeTokenFile<string | undefined>(path, (standing) =>
        standing.length > 0 ? {result: undefined} : addToken(standing, {name: 'admin', role: 'admin'}),
      );
    },
  };
}

/** Compares every token, so that the time reveals nothing about a match. */
function findToken(tokens: readonly StoredToken[], token: string): Principal | undefined {
  const presented = hash('sha256', token, 'buffer');
  let found: Principal | undefined;
  for (const {name, role, sha256} of tokens) {
    if (timingSafeEqual(presented, Buffer.from(sha256, 'hex'))) found = {name, role};
  }
  return found;
}

function addToken(
  standing: readonly StoredToken[],
  principal: Principal,
): {readonly tokens: readonly StoredToken[]; readonly result: string} {
  const {name, role} = principal;
  if (!isIdentifier(name)) {
    throw new TokenFileError(
      `\`${principal.name}\` is not a valid token name: use at most 128 letters, digits, \`.\`, \`_\` and \`-\``,
    );
  }
  if (standing.some((token) => token.name === name)) {
    throw new TokenFileError(`the token \`${name}\` already exists: revoke it first, or choose another name`);
  }
  const token = `lf_${randomBytes(32).toString('base64url')}`;
  const sha256 = hash('sha256', token);
  return {tokens: [...standing, {name, role, sha256, created_at: new Date().toISOString()}], result: token};
}
