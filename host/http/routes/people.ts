// People: signing in at the issuer, signing out, and ending the sign-ins of others.
import {hash} from 'node:crypto';
import {isPersonToken, type SignInRefusal, type SignInService} from '../../sign-in/create-sign-in.ts';
import {answer, okReply, refuse, type Reply} from '../reply.ts';
import {bearerToken} from '../requests/guard-request.ts';
import {createRateLimit} from '../requests/rate-limit.ts';
import type {AnyRoute, OpenRouteOf, RouteOf} from '../route.ts';

export interface PeopleRoutesOptions {
  /** Absent: people cannot sign in. */
  readonly signIn: SignInService | undefined;
  /** The address at which people open the dashboard; absent: that of the request. */
  readonly url: string | undefined;
}

interface Returned {
  readonly secret: string;
  readonly query: string;
}

/** Of all browsers together: each attempt makes requests to the issuer. */
const attemptsPerSecond = 20;
const secret = {
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{43}$',
  description: '256 random bits of the tab, as base64url',
};

/** The path of the redirect URI, which serves the dashboard. */
const returnPath = '/signed-in';

export function createPeopleRoutes({signIn, url}: PeopleRoutesOptions): readonly AnyRoute[] {
  const limit = createRateLimit(attemptsPerSecond, () => performance.now());
  const redirectUri = (headers: Headers): string => `${url ?? `http://${headers.get('host') ?? ''}`}${returnPath}`;

  async function atIssuer(
    work: (service: SignInService) => ReturnType<SignInService['begin' | 'finish']>,
  ): Promise<Reply> {
    if (!signIn) return refuse('SIGN_IN_UNAVAILABLE', 'this workspace has no `sign_in` in workspace.yaml: use a token');
    const waitSeconds = limit.take('');
    if (waitSeconds !== undefined) {
      const refusal = refuse('RATE_LIMITED', `too many people sign in at the same time: retry in ${waitSeconds} s`);
      return {...refusal, headers: {'retry-after': String(waitSeconds)}};
    }
    const result = await work(signIn);
    return result.ok ? okReply(result.value) : refusalReply(result.problem);
  }

  const offer: OpenRouteOf<unknown> = {
    method: 'GET',
    path: '/v1/sign-in',
    summary: 'Returns whether people can sign in at an issuer',
    answers: {200: 'http_sign_in_offer'},
    refuses: [],
    handle: () => okReply({offered: signIn !== undefined}),
  };
  const begin: OpenRouteOf<{readonly secret: string}> = {
    method: 'POST',
    path: '/v1/sign-in',
    summary: 'Starts a sign-in: returns the address at the issuer at which a browser continues',
    body: {type: 'object', properties: {secret}, required: ['secret'], additionalProperties: false},
    answers: {200: 'http_sign_in'},
    refuses: ['SIGN_IN_DENIED', 'SIGN_IN_UNAVAILABLE', 'RATE_LIMITED'],
    handle: ({body, headers}) => atIssuer((service) => service.begin(body.secret, redirectUri(headers))),
  };
  const finish: OpenRouteOf<Returned> = {
    method: 'POST',
    path: '/v1/sign-in/finish',
    summary: 'Finishes a sign-in with what the issuer returned to the browser: returns the token of the person',
    body: {
      type: 'object',
      properties: {
        secret,
        query: {type: 'string', maxLength: 8192, description: 'The query of the address that the issuer returned to'},
      },
      required: ['secret', 'query'],
      additionalProperties: false,
    },
    answers: {200: 'http_signed_in'},
    refuses: ['SIGN_IN_DENIED', 'SIGN_IN_UNAVAILABLE', 'NAME_TAKEN', 'PERSON_INACTIVE', 'RATE_LIMITED'],
    handle: ({body, headers}) =>
      atIssuer((service) => {
        const returned = new URL(redirectUri(headers));
        returned.search = body.query;
        return service.finish(body.secret, returned);
      }),
  };
  return [offer, begin, finish, signOut, listPeople, signOutPerson] as readonly AnyRoute[];
}

function refusalReply({code, message}: SignInRefusal): Reply {
  return refuse(code, code === 'SIGN_IN_UNAVAILABLE' ? `${message}: ask an operator to read the log` : message);
}

const signOut: RouteOf<unknown, unknown> = {
  method: 'POST',
  path: '/v1/sign-out',
  summary: 'Ends the sign-in whose token makes the request',
  role: 'agent',
  body: {type: 'object', properties: {}, additionalProperties: false},
  answers: {200: 'http_person'},
  refuses: ['PERSON_NOT_FOUND'],
  async handle({runtime, caller, headers}) {
    const token = bearerToken(headers) ?? '';
    if (!isPersonToken(token)) {
      return refuse('PERSON_NOT_FOUND', 'this token is not of a person: `lumenflow token revoke` ends it');
    }
    const {name} = caller;
    const ended = {name, by: name, token_sha256: hash('sha256', token), reason: 'the person signed out'};
    return answer(await runtime.people.signOut(ended), 200, (person) => person);
  },
};

const listPeople: RouteOf<unknown, unknown> = {
  method: 'GET',
  path: '/v1/people',
  summary: 'Lists the people who have signed in',
  role: 'admin',
  answers: {200: 'http_person_list'},
  handle: ({runtime}) => okReply({people: runtime.people.list()}),
};

const signOutPerson: RouteOf<unknown, {readonly reason?: string}> = {
  method: 'POST',
  path: '/v1/people/:name/sign-out',
  summary: 'Ends all sign-ins of a person on all hosts',
  role: 'admin',
  body: {type: 'object', properties: {reason: {type: 'string', maxLength: 4096}}, additionalProperties: false},
  answers: {200: 'http_person'},
  refuses: ['PERSON_NOT_FOUND'],
  async handle({runtime, caller, param, body: {reason = 'an admin signed the person out'}}) {
    const ended = await runtime.people.signOut({name: param('name'), by: caller.name, reason});
    return answer(ended, 200, (person) => person);
  },
};
