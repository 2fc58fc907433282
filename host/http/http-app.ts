// Handles a request: authentication, routing, validation and the response.
import {failed, isKernelError, ok, type Failed, type Outcome} from '@lumenflow/kernel';
import {createSchemaCompiler} from '@lumenflow/kernel/node';
import {Hono, type Context} from 'hono';
import type {HttpBindings} from '@hono/node-server';
import {dashboardPolicy, readDashboardAssets, type Asset} from '../dashboard/dashboard-assets.ts';
import {createCallFeed} from './call-ledger/call-feed.ts';
import {describeRoutes} from './openapi/describe-routes.ts';
import type {McpEndpoint} from './mcp/mcp-endpoint.ts';
import {okReply, refuse, Verbatim, type Reply} from './reply.ts';
import {bearerToken, refuseForeign} from './requests/guard-request.ts';
import type {RateLimit} from './requests/rate-limit.ts';
import {createBodyReader, type BodyReader} from './requests/read-json-body.ts';
import {readQuery} from './requests/read-query.ts';
import {hasRole, type HttpHost, type Route} from './route.ts';
import {approvalRoutes} from './routes/approvals.ts';
import {createCallRoutes} from './routes/calls.ts';
import {changesRoutes} from './routes/changes.ts';
import {createEventRoutes} from './routes/events.ts';
import {createExecRoutes} from './routes/exec.ts';
import {createEvidenceRoutes} from './routes/evidence.ts';
import {policyRoutes} from './routes/policy.ts';
import {createProgramRoutes} from './routes/programs.ts';
import {sessionRoutes} from './routes/sessions.ts';
import {createTaskListRoutes} from './routes/task-list.ts';
import {taskRoutes} from './routes/tasks.ts';
import {toolRoutes} from './routes/tools.ts';
import {createWorkspaceRoutes} from './routes/workspace.ts';
import type {EventFeed} from './events/event-feed.ts';
import {TokenFileError} from './tokens/token-file.ts';
import type {Principal, TokenStore} from './tokens/token-store.ts';

export interface HttpAppOptions {
  readonly host: HttpHost;
  readonly tokens: TokenStore;
  readonly feed: EventFeed;
  readonly mcp: McpEndpoint;
  readonly version: string;
  readonly hostsAllowed: readonly string[];
  readonly rateLimit: RateLimit | undefined;
  /** Aborts when the server starts to close. */
  readonly closing: AbortSignal;
  /** One per request in progress; aborting it cancels its work. */
  readonly inHand: Set<AbortController>;
  onError(error: unknown): void;
}

interface AppEnv {
  Bindings: HttpBindings;
  Variables: {caller: Principal};
}
type AppContext = Context<AppEnv>;

/** Idle time after which the server disconnects a client that does not read its answer. */
const readingTimeoutMs = 60_000;

function createRoutes({host, version}: HttpAppOptions): readonly Route[] {
  let description: object | undefined;
  const calls = createCallFeed(host.runtime);
  const routes: readonly Route[] = [
    ...createTaskListRoutes(),
    ...taskRoutes,
    ...sessionRoutes,
    ...toolRoutes,
    ...createExecRoutes(host),
    ...createProgramRoutes(host),
    ...approvalRoutes,
    ...createEvidenceRoutes(),
    ...changesRoutes,
    ...createEventRoutes(calls),
    ...policyRoutes,
    ...createCallRoutes(calls),
    ...createWorkspaceRoutes(),
    {
      method: 'GET',
      path: '/openapi.json',
      summary: 'This description',
      role: 'agent',
      answers: {200: {contentType: 'application/json'}},
      handle: () => okReply((description ??= describeRoutes(routes, version))),
    },
  ];
  return routes;
}

export function createHttpApp(options: HttpAppOptions): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  const routes = createRoutes(options);
  const assets = readDashboardAssets();
  const readBody = createBodyReader();
  app.use('*', async (context, next) => {
    const refusal = admit(context, options, assets);
    if (refusal) return respond(context, options, refusal);
    return await next();
  });
  app.get('/healthz', (context) => {
    const workspace = options.host.runtime.isWorkspaceCurrent() ? 'loaded' : 'changed';
    return respond(context, options, okReply({status: 'ok', version: options.version, workspace}));
  });
  for (const [path, {content, contentType}] of assets) {
    const headers = {'content-type': contentType, 'content-security-policy': dashboardPolicy};
    app.get(path, (context) => respond(context, options, {status: 200, body: new Verbatim(content), headers}));
  }
  app.all('/mcp', async (context) => {
    const body = context.req.method === 'POST' ? await readBody(context.env.incoming) : ok(undefined);
    if (!body.ok) return respond(context, options, body.problem);
    const answered = await options.mcp.serve(context.req.raw, body.value, context.get('caller'));
    return answered instanceof Response ? answered : respond(context, options, answered);
  });
  for (const route of routes) app.on(route.method, route.path, createEndpoint(route, options, readBody));
  for (const path of new Set(routes.map((route) => route.path))) {
    const allow = routes.flatMap((route) => (route.path === path ? route.method : [])).join(', ');
    app.all(path, (context) => {
      const refusal = refuse('METHOD_NOT_ALLOWED', `this path supports only ${allow}`);
      return respond(context, options, {...refusal, headers: {allow}});
    });
  }
  app.notFound((context) => respond(context, options, refuse('ROUTE_NOT_FOUND', 'this path does not exist')));
  app.onError((error, context) => respond(context, options, refusalOf(error, options)));
  return app;
}

function admit(context: AppContext, options: HttpAppOptions, assets: ReadonlyMap<string, Asset>): Reply | undefined {
  const {headers} = context.req.raw;
  const foreign = refuseForeign(headers, options.hostsAllowed, context.env.incoming.url ?? '');
  if (foreign) return foreign;
  if (options.closing.aborted) return refuse('CLOSING', 'the server is shutting down');
  const {path} = context.req;
  if (path === '/healthz' || assets.has(path)) return undefined;
  const caller = options.tokens.authenticate(bearerToken(headers) ?? '');
  if (!caller) {
    const refusal = refuse('UNAUTHENTICATED', 'send a valid token as `authorization: Bearer …`');
    return {...refusal, headers: {'www-authenticate': 'Bearer realm="lumenflow"'}};
  }
  const waitSeconds = options.rateLimit?.take(caller.name);
  if (waitSeconds !== undefined) {
    const refusal = refuse('RATE_LIMITED', `rate limit of this token exceeded: retry in ${waitSeconds} s`);
    return {...refusal, headers: {'retry-after': String(waitSeconds)}};
  }
  context.set('caller', caller);
  return undefined;
}

function createEndpoint(
  route: Route,
  options: HttpAppOptions,
  readBody: BodyReader,
): (context: AppContext) => Promise<Response> {
  const readShape = createShapeReader(route, readBody);
  return async (context) => {
    const caller = context.get('caller');
    if (!hasRole(caller, route.role)) {
      const refusal = refuse(
        'ROLE_DENIED',
        `this request requires role \`${route.role}\`; this token has role \`${caller.role}\``,
      );
      return respond(context, options, refusal);
    }
    const shape = await readShape(context);
    if (!shape.ok) return respond(context, options, shape.problem);
    const reply = await handle(route, context, options, shape.value);
    return respond(context, options, reply);
  };
}

async function handle(route: Route, context: AppContext, options: HttpAppOptions, shape: Fitting): Promise<Reply> {
  const {host, feed, closing, inHand} = options;
  const {headers, signal} = context.req.raw;
  const caller = context.get('caller');
  const cancelling = new AbortController();
  const cancel = (): void => cancelling.abort();
  if (signal.aborted) cancel();
  signal.addEventListener('abort', cancel);
  inHand.add(cancelling);
  try {
    await host.runtime.refresh();
    return await route.handle({
      host,
      runtime: host.runtime,
      feed,
      caller,
      headers,
      closing,
      ...shape,
      param: (name) => context.req.param(name) ?? '',
      signal: cancelling.signal,
      isStillAllowed: () => isStillAllowed(headers, caller, options),
    });
  } finally {
    inHand.delete(cancelling);
  }
}

interface Fitting {
  readonly query: unknown;
  readonly body: unknown;
}
type Shape = Outcome<Fitting, Reply>;

function createShapeReader(
  {query: querySchema, body: bodySchema}: Route,
  readBody: BodyReader,
): (context: AppContext) => Promise<Shape> {
  const compiler = createSchemaCompiler();
  const noQuery = {type: 'object', properties: {}, additionalProperties: false} as const;
  const validateQuery = compiler.compileLater(querySchema ?? noQuery);
  const validateBody = bodySchema && compiler.compileLater(bodySchema);
  return async ({req, env}) => {
    const query = readQuery(new URL(req.url).searchParams, querySchema ?? noQuery);
    const wrongQuery = misshapen('query', validateQuery(query));
    if (wrongQuery || !validateBody) return wrongQuery ?? ok({query, body: undefined});
    const read = await readBody(env.incoming);
    if (!read.ok) return read;
    return misshapen('body', validateBody(read.value)) ?? ok({query, body: read.value});
  };
}

function misshapen(
  part: 'query' | 'body',
  issues: readonly {readonly pointer: string; readonly message: string}[],
): Failed<Reply> | undefined {
  const [first] = issues;
  if (!first) return undefined;
  const message = `the ${part} is invalid: ${[first.pointer, first.message].join(' ').trim()}`;
  return failed(refuse('INVALID_INPUT', message, {issues}));
}

/** Returns false if the token file cannot be used. */
function isStillAllowed(headers: Headers, caller: Principal, {tokens, onError}: HttpAppOptions): boolean {
  try {
    const now = tokens.authenticate(bearerToken(headers) ?? '');
    return now?.name === caller.name && now.role === caller.role;
  } catch (error) {
    onError(error);
    return false;
  }
}

/** Reports the error to the operator. The caller receives only its kind. */
function refusalOf(error: unknown, {onError}: HttpAppOptions): Reply {
  onError(error);
  if (error instanceof TokenFileError)
    return refuse('TOKENS_UNAVAILABLE', 'the server cannot check tokens: ask an operator to read its log');
  if (isKernelError(error))
    return refuse(error.code, 'the runtime could not process the request: ask an operator to read its log');
  return refuse('INTERNAL', 'internal error: ask an operator to read the log');
}

function respond(context: AppContext, {closing}: HttpAppOptions, {status, body, headers}: Reply): Response {
  context.env.outgoing.socket?.setTimeout(readingTimeoutMs);
  const content = body instanceof Verbatim ? body.content : JSON.stringify(body);
  return new Response(content, {
    status,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      ...(closing.aborted && {connection: 'close'}),
      ...headers,
    },
  });
}
