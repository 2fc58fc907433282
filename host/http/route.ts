// The data of a route: its path, role and shapes. The server, the tests and the API description share one table.
import type {KernelRuntime} from '@lumenflow/kernel';
import type {Sandbox} from '@lumenflow/sandbox';
import type {PoolCounters} from '../pool/index.ts';
import type {SessionRequest, SessionResult} from '../sessions/open-session.ts';
import type {ErrorCode} from './error-status.ts';
import type {EventFeed} from './events/event-feed.ts';
import type {Reply} from './reply.ts';
import type {ObjectSchema} from './requests/read-query.ts';
import type {Role} from './tokens/token-file.ts';
import type {Principal} from './tokens/token-store.ts';

/** The parts of a host that the API serves. */
export interface HttpHost {
  readonly runtime: KernelRuntime;
  /** Without it, no program can be started or resumed. */
  readonly workspaceRoot?: string;
  /** For its doctor and its counters. */
  readonly sandbox?: Sandbox;
  /** Of the threads that run in-process handlers. */
  poolCounters?(): PoolCounters;
  openSession(request: SessionRequest): Promise<SessionResult>;
}

export interface RouteCall<Query, Body> {
  readonly host: HttpHost;
  readonly runtime: KernelRuntime;
  readonly feed: EventFeed;
  readonly caller: Principal;
  readonly headers: Headers;
  readonly query: Query;
  readonly body: Body;
  /** Returns a part of the path by name. */
  param(name: string): string;
  /** Aborts when the client disconnects, or when closing has waited long enough. */
  readonly signal: AbortSignal;
  /** Aborts when the server starts to close. */
  readonly closing: AbortSignal;
  /** Whether the token is still valid. */
  isStillAllowed(): boolean;
}

/** Names a definition of the schemas: `event.schema.json#/$defs/seq`, or `http_task` alone for one of http.schema.json. */
export type DefinitionName = string;

/** JSON of a definition; or text of another type, events whose `data` is of a definition, any JSON. */
export type AnswerShape = DefinitionName | {readonly contentType: string; readonly data?: DefinitionName};

export interface RouteOf<Query, Body> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `:name` matches one path segment. */
  readonly path: string;
  /** The summary in the API's description. */
  readonly summary: string;
  /** The lowest role that can use the route. */
  readonly role: Role;
  /** A role outside their order that can use it too. */
  readonly alsoFor?: LoneRole;
  readonly query?: ObjectSchema;
  readonly body?: ObjectSchema;
  /** Describes a body that is checked elsewhere. */
  readonly bodyShape?: DefinitionName;
  /** By status. */
  readonly answers: Readonly<Record<number, AnswerShape>>;
  /** Refusal codes in addition to those of every route. */
  readonly refuses?: readonly ErrorCode[];
  /** Whether failures can have any code, including a handler's own. */
  readonly callsTool?: true;
  handle(call: RouteCall<Query, Body>): Promise<Reply> | Reply;
}

/** A route that needs no token. */
export type OpenRouteOf<Body> = Omit<RouteOf<unknown, Body>, 'role' | 'handle' | 'refuses'> & {
  readonly role?: never;
  readonly refuses: readonly ErrorCode[];
  handle(call: Omit<RouteCall<unknown, Body>, 'caller' | 'isStillAllowed'>): Promise<Reply> | Reply;
};

export type AnyRoute = Route | OpenRouteOf<unknown>;

/** Checks `query` and `body` against the schemas before `handle` receives them. */
export type Route = RouteOf<unknown, unknown>;

/** Such a role includes no other role, and no other role includes it. */
export type LoneRole = Extract<Role, 'directory' | 'monitor'>;

const rank: Readonly<Record<Exclude<Role, LoneRole>, number>> = {agent: 0, operator: 1, admin: 2};

export function hasRole(principal: Principal, role: Role): boolean {
  if (isLone(principal.role) || isLone(role)) return principal.role === role;
  return rank[principal.role] >= rank[role];
}

function isLone(role: Role): role is LoneRole {
  return role === 'directory' || role === 'monitor';
}
