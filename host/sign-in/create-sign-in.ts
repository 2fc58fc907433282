// How people sign in to a workspace. A person gets a token of 256 random bits; its hash and its end are events of the state, so that
// every host of the state knows them.
import {failed, isSameIssuer, ok, type KernelRuntime, type Outcome, type SignIn} from '@lumenflow/kernel';
import type {Person, SignInSettings} from '@lumenflow/schemas';
import {hash, randomBytes} from 'node:crypto';
import {identifyingClaims, identifyPerson} from './identify-person.ts';
import {createIssuer, type Claims, type Issuer} from './issuer.ts';
import {roleOfGroups} from './role-of-groups.ts';

/** A person who has signed in. */
export interface SignedInPerson {
  readonly name: string;
  readonly role: 'agent' | 'operator' | 'admin';
  readonly person: Person;
  /** UTC, ISO 8601. */
  readonly expires_at: string;
}

export interface NewSignIn extends SignedInPerson {
  /** Is not stored. */
  readonly token: string;
}

export interface SignInRefusal {
  readonly code: 'SIGN_IN_DENIED' | 'SIGN_IN_UNAVAILABLE' | 'NAME_TAKEN' | 'PERSON_INACTIVE';
  readonly message: string;
}

export interface DeviceSignIn {
  /** Where the person confirms. */
  readonly address: string;
  /** What the person compares or enters there. */
  readonly code: string;
  /** Resolves when the person has confirmed or refused, or the code has expired. */
  finish(signal: AbortSignal): Promise<Outcome<NewSignIn, SignInRefusal>>;
}

export interface SignInOptions {
  readonly runtime: KernelRuntime;
  readonly settings: SignInSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether a token of `lumenflow token create` has this name, which no person can then have. */
  isTokenName(name: string): boolean;
  /** Receives why the issuer could not be used. */
  onError(error: unknown): void;
}

export interface SignInService {
  /** The address at the issuer at which the browser starts. `secret`: 256 random bits of the tab, as base64url. */
  begin(secret: string, redirectUri: string): Promise<Outcome<{readonly url: string}, SignInRefusal>>;
  /** `returned`: the redirect URI with the query that the issuer sent to the tab. */
  finish(secret: string, returned: URL): Promise<Outcome<NewSignIn, SignInRefusal>>;
  beginDevice(): Promise<Outcome<DeviceSignIn, SignInRefusal>>;
  /** Undefined if the sign-in does not exist, or has ended or expired, as of the last refresh of the runtime. */
  personOf(token: string): SignedInPerson | undefined;
}

const prefix = 'lfp_';
const defaultMaxHours = 12;
const hourMs = 3_600_000;

/** Tells a person's token from a token of `lumenflow token create`. */
export function isPersonToken(token: string): boolean {
  return token.startsWith(prefix);
}

export function createSignIn(options: SignInOptions): SignInService {
  const {runtime, settings, onError} = options;
  const {name, groups} = identifyingClaims(settings);
  const wanted = settings.groups_from === 'scim' ? [name] : [name, groups];
  const open = (): Issuer => openIssuer(options, wanted);
  let opened: Issuer | undefined;
  const attempt = async <T>(work: (issuer: Issuer) => Promise<T>): Promise<Outcome<T, SignInRefusal>> => {
    try {
      return ok(await work((opened ??= open())));
    } catch (error) {
      onError(new Error(`a sign-in at ${settings.issuer} failed: ${detailOf(error)}`, {cause: error}));
      return failed(refusalOf(error));
    }
  };
  const admit = async (
    found: Outcome<Claims, SignInRefusal>,
    via: 'browser' | 'device',
  ): Promise<Outcome<NewSignIn, SignInRefusal>> => (found.ok ? await record(options, found.value, via) : found);
  return {
    begin: (secret, redirectUri) =>
      attempt(async (issuer) => ({url: await issuer.authorizationUrl(secret, redirectUri)})),
    finish: async (secret, returned) =>
      await admit(await attempt((issuer) => issuer.redeem(secret, returned)), 'browser'),
    beginDevice: () =>
      attempt(async (issuer) => {
        const started = await issuer.startDevice();
        return {
          address: started.verification_uri_complete ?? started.verification_uri,
          code: started.user_code,
          finish: async (signal) => await admit(await attempt(() => issuer.awaitDevice(started, signal)), 'device'),
        };
      }),
    personOf(token) {
      const signIn = runtime.people.signInOf(hash('sha256', token));
      return signIn && signedInPersonOf(signIn, settings, runtime.people.groupsOf);
    },
  };
}

/** Undefined if workspace.yaml now has another issuer, or no role for the groups of the person. */
export function signedInPersonOf(
  {name, person, groups, expires_at}: SignIn,
  {issuer, roles, groups_from}: SignInSettings,
  groupsOf: (name: string) => readonly string[],
): SignedInPerson | undefined {
  if (!isSameIssuer(person.issuer, issuer)) return undefined;
  const role = roleOfGroups(groups_from === 'scim' ? groupsOf(name) : groups, roles);
  return role && {name, role, person, expires_at};
}

function openIssuer({settings, env}: SignInOptions, wantedClaims: readonly string[]): Issuer {
  const {
    issuer,
    client_id: clientId,
    client_secret_env: secretName,
    scopes = ['openid', 'profile', 'email'],
  } = settings;
  const clientSecret = secretName === undefined ? undefined : env[secretName];
  if (secretName !== undefined && !clientSecret) {
    throw new Error(`the environment variable ${secretName} with the client's secret is missing`);
  }
  return createIssuer({issuer, clientId, clientSecret, scopes, wantedClaims});
}

async function record(
  {runtime, settings, isTokenName}: SignInOptions,
  claims: Claims,
  via: 'browser' | 'device',
): Promise<Outcome<NewSignIn, SignInRefusal>> {
  const identified = identifyPerson(claims, settings, runtime.people.groupsOf);
  if (!identified.ok) return failed({code: 'SIGN_IN_DENIED', message: identified.problem});
  const {name, person, groups} = identified.value;
  const role = roleOfGroups(groups, settings.roles);
  if (!role) return failed({code: 'SIGN_IN_DENIED', message: `\`${name}\` has no role`});
  if (isTokenName(name)) {
    const message = `a token is named \`${name}\`: an admin must revoke it before a person can sign in with this name`;
    return failed({code: 'NAME_TAKEN', message});
  }
  const token = prefix + randomBytes(32).toString('base64url');
  const token_sha256 = hash('sha256', token);
  const lifetime_ms = (settings.max_hours ?? defaultMaxHours) * hourMs;
  const done = await runtime.people.signIn({name, person, groups, via, lifetime_ms, token_sha256});
  if (!done.success) {
    const {code, message} = done.error;
    return failed({code: code === 'NAME_TAKEN' || code === 'PERSON_INACTIVE' ? code : 'SIGN_IN_DENIED', message});
  }
  const {expires_at = ''} = runtime.people.signInOf(token_sha256) ?? {};
  return ok({token, name: done.data.name, role, person, expires_at});
}

/** What the issuer or a browser sent does not fit. Any other error means that the issuer cannot be used. */
const misfits: ReadonlySet<string> = new Set([
  'OAUTH_INVALID_REQUEST',
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
]);

/** The details are for the operator: they can contain what an attacker sent. */
function refusalOf(error: unknown): SignInRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR' || code === 'OAUTH_RESPONSE_BODY_ERROR') {
    return {code: 'SIGN_IN_DENIED', message: 'the issuer refused the sign-in: start it again'};
  }
  if (misfits.has(code)) {
    return {code: 'SIGN_IN_DENIED', message: "the issuer's answer does not belong to this sign-in: start it again"};
  }
  return {code: 'SIGN_IN_UNAVAILABLE', message: 'the issuer cannot be used'};
}

const causesMax = 4;

/** The messages of an error and its causes, with what the issuer said. */
function detailOf(error: unknown): string {
  const parts: string[] = [];
  for (let each = error; each instanceof Error && parts.length < causesMax; each = each.cause) {
    const said = 'error_description' in each ? ` (${String(each.error_description)})` : '';
    parts.push(`${each.message}${said}`);
  }
  return parts.join(': ');
}
