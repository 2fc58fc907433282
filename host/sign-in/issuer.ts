// The issuer of a workspace: OpenID Connect with PKCE for the page, and the device flow for the command line. Every ID token is
// verified: signature, issuer, audience, times and nonce. Its metadata is read at the first use, so that a host starts without it.
import {createHmac} from 'node:crypto';
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  initiateDeviceAuthorization,
  None,
  pollDeviceAuthorizationGrant,
  type ClientAuth,
  type Configuration,
  type DeviceAuthorizationResponse,
} from 'openid-client';

export interface IssuerOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Absent: a public client. */
  readonly clientSecret?: string | undefined;
  readonly scopes: readonly string[];
  /** Claims that are asked of the userinfo endpoint if the ID token does not have them. */
  readonly wantedClaims: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

/** The rest of an answer of the token endpoint is not needed. */
type Granted = Pick<Awaited<ReturnType<typeof authorizationCodeGrant>>, 'access_token' | 'claims'>;

/** All members reject if the issuer does not answer, or answers wrongly. */
export interface Issuer {
  /** The address at which a browser starts. `secret`: of the one tab that can finish. */
  authorizationUrl(secret: string, redirectUri: string): Promise<string>;
  /** `returned`: the redirect URI with the query that the issuer sent. */
  redeem(secret: string, returned: URL): Promise<Claims>;
  startDevice(): Promise<DeviceAuthorizationResponse>;
  /** Resolves when the person has confirmed. */
  awaitDevice(started: DeviceAuthorizationResponse, signal: AbortSignal): Promise<Claims>;
}

const timeoutSeconds = 10;
const loopback = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function createIssuer(options: IssuerOptions): Issuer {
  const {scopes, wantedClaims} = options;
  const scope = scopes.join(' ');
  let found: Promise<Configuration> | undefined;
  const configuration = async (): Promise<Configuration> => {
    const known = (found ??= discover(options));
    try {
      return await known;
    } catch (error) {
      if (found === known) found = undefined;
      throw error;
    }
  };
  return {
    async authorizationUrl(secret, redirectUri) {
      const {state, nonce, verifier} = partsOf(secret);
      return buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      }).href;
    },
    async redeem(secret, returned) {
      const {state, nonce, verifier} = partsOf(secret);
      const checks = {expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true};
      const config = await configuration();
      return await claimsOf(config, await authorizationCodeGrant(config, returned, checks), wantedClaims);
    },
    startDevice: async () => await initiateDeviceAuthorization(await configuration(), {scope}),
    async awaitDevice(started, signal) {
      const config = await configuration();
      return await claimsOf(
        config,
        await pollDeviceAuthorizationGrant(config, started, undefined, {signal}),
        wantedClaims,
      );
    },
  };
}

async function discover({issuer, clientId, clientSecret}: IssuerOptions): Promise<Configuration> {
  const server = new URL(issuer);
  const insecure = server.protocol === 'http:' && loopback.test(server.hostname) ? [allowInsecureRequests] : [];
  const authentication = clientSecret === undefined ? None() : secretAuthentication(clientSecret);
  return await discovery(server, clientId, undefined, authentication, {
    timeout: timeoutSeconds,
    execute: [enableNonRepudiationChecks, ...insecure],
  });
}

/** `client_secret_basic` is the protocol's default. Some issuers support only the other. */
function secretAuthentication(clientSecret: string): ClientAuth {
  const basic = ClientSecretBasic(clientSecret);
  const post = ClientSecretPost(clientSecret);
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported;
    const isPostOnly = methods !== undefined && !methods.includes('client_secret_basic');
    return (isPostOnly ? post : basic)(server, ...rest);
  };
}

/** What the attempt of one tab sends and later expects, so that no host has to remember the attempt. */
function partsOf(secret: string): {readonly state: string; readonly nonce: string; readonly verifier: string} {
  const part = (name: string): string => createHmac('sha256', secret).update(name).digest('base64url');
  return {state: part('state'), nonce: part('nonce'), verifier: part('verifier')};
}

async function claimsOf(config: Configuration, granted: Granted, wanted: readonly string[]): Promise<Claims> {
  const claims = granted.claims();
  if (!claims) throw new Error('the issuer returned no ID token: request the scope `openid`');
  const isComplete = wanted.every((name) => Object.hasOwn(claims, name));
  if (isComplete || config.serverMetadata().userinfo_endpoint === undefined) return claims;
  return {...(await fetchUserInfo(config, granted.access_token, claims.sub)), ...claims};
}
