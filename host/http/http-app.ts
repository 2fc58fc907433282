// Handles a request: authentication, routing, validation and the response.
import {isKernelError, ok} from '@lumenflow/kernel';
import {context as contexts} from '@opentelemetry/api';
import {Hono, type Context} from 'hono';
import type {HttpBindings} from '@hono/node-server';
import {dashboardPolicy, readDashboardAssets} from '../dashboard/dashboard-assets.ts';
import type {AnswerPage} from './answer-page/answer-page.ts';
import {readForm} from './answer-page/read-form.ts';
import type {ServerHealth} from './health/server-health.ts';
import {describeRoutes} from './openapi/describe-routes.ts';
import type {McpEndpoint} from './mcp/mcp-endpoint.ts';
import {closingReply, okReply, refuse, unknownPath, Verbatim, type Reply} from './reply.ts';
import {refuseForeign} from './requests/guard-request.ts';
import type {RateLimit} from './requests/rate-limit.ts';
import {createBodyReader, type BodyReader} from './requests/read-json-body.ts';
import {createShapeReader, type Fitting} from './shape-reader.ts';
import {hasRole, type AnyRoute, type HttpHost, type LoneRole} from './route.ts';
import {approvalRoutes} from './routes/approvals.ts';
import {createCallRoutes} from './routes/calls.ts';
import {changesRoutes} from './routes/changes.ts';
import {createEventRoutes} from './routes/events.ts';
import {createExecRoutes} from './routes/exec.ts';
import {createEvidenceRoutes} from './routes/evidence.ts';
import {createPeopleRoutes, type PeopleRoutesOptions} from './routes/people.ts';
import {passkeyRoutes} from './routes/passkeys.ts';
import {policyRoutes} from './routes/policy.ts';
import {createProgramRoutes} from './routes/programs.ts';
import {scimRoutes} from './routes/scim.ts';
import {sessionRoutes} from './routes/sessions.ts';
import {createTaskListRoutes} from './routes/task-list.ts';
import {taskRoutes} from './routes/tasks.ts';
import {toolRoutes} from './routes/tools.ts';
import {createWorkspaceRoutes} from './routes/workspace.ts';
import {contextOfTraceParent} from '../tracing/context-of-trace-parent.ts';
import type {EventFeed} from './events/event-feed.ts';
import {TokenFileError, type Role} from './tokens/token-file.ts';
import type {Authenticator} from './tokens/authenticator.ts';
import type {CallerWatch} from './tokens/caller-watch.ts';
import type {Principal} from './tokens/token-store.ts';

export interface HttpAppOptions extends PeopleRoutesOptions {
  /** Absent: the workspace has no signed links. */
  readonly answerPage: AnswerPage | undefined;
  readonly host: HttpHost;
  readonly authenticator: Authenticator;
  readonly watch: CallerWatch;
  readonly feed: EventFeed;
  readonly mcp: McpEndpoint;
  readonly health: ServerHealth;
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
  Variables: {caller: Principal; route: string};
}
type AppContext = Context<AppEnv>;

/** Idle time after which the server disconnects a client that does not read its answer. */
const readingTimeoutMs = 60_000;

function createRoutes(options: HttpAppOptions): readonly AnyRoute[] {
  const {
    host,
    version,
    health: {calls, metrics},
  } = options;
  let description: object | undefined;
  const routes: readonly AnyRoute[] = [
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
    ...createCallRoutes(calls, metrics),
    ...createWorkspaceRoutes(),
    ...createPeopleRoutes(options),
    ...passkeyRoutes,
    ...scimRoutes,
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
  const open = new Set(routes.flatMap(({role, path}) => (role === undefined ? path : [])));
  const isOpen = (path: string): boolean =>
    path === '/healthz' || path === '/answer' || assets.has(path) || open.has(path);
  app.use('*', async (context, next) => {
    const traced = contextOfTraceParent(context.req.header('traceparent'));
    await (traced ? contexts.with(traced, next) : next());
    options.health.requests.add(context.req.method, context.get('route') ?? 'other', context.res.status);
  });
  app.use('*', async (context, next) => {
    const refusal = await admit(context, options, isOpen);
    if (refusal) return respond(context, options, refusal);
    return await next();
  });
  serveProbes(app, options);
  for (const [path, {content, contentType}] of assets) {
    const headers = {'content-type': contentType, 'content-security-policy': dashboardPolicy};
    app.get(path, (context) => respond(context, options, {status: 200, body: new Verbatim(content), headers}));
  }
  serveAnswers(app, options);
  app.all('/mcp', async (context) => {
    context.set('route', '/mcp');
    const denied = denyRole(context.get('caller'), 'agent');
    if (denied) return respond(context, options, denied);
    const body = context.req.method === 'POST' ? await readBody(context.env.incoming) : ok(undefined);
    if (!body.ok) return respond(context, options, body.problem);
    const answered = await options.mcp.serve(context.req.raw, body.value, {
      caller: context.get('caller'),
      isStillAllowed: () => options.authenticator.isStillAllowed(context.req.raw.headers, context.get('caller')),
    });
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
  app.notFound((context) => respond(context, options, unknownPath));
  app.onError((error, context) => respond(context, options, refusalOf(error, options)));
  return app;
}

function serveProbes(app: Hono<AppEnv>, options: HttpAppOptions): void {
  app.get('/healthz', (context) => {
    context.set('route', '/healthz');
    const workspace = options.host.runtime.isWorkspaceCurrent() ? 'loaded' : 'changed';
    return respond(context, options, okReply({status: 'ok', version: options.version, workspace}));
  });
  app.get('/readyz', async (context) => {
    context.set('route', '/readyz');
    const reasons = await options.health.readiness.reasons();
    const isReady = reasons.length === 0;
    return respond(context, options, {
      status: isReady ? 200 : 503,
      body: {status: isReady ? 'ready' : 'not_ready', reasons},
    });
  });
}

/** The page of signed links. */
function serveAnswers(app: Hono<AppEnv>, options: HttpAppOptions): void {
  app.get('/answer', async (context) => {
    context.set('route', '/answer');
    const page = options.answerPage;
    const cookies = context.req.header('cookie') ?? '';
    return respond(context, options, page ? await page.show(context.req.query('link') ?? '', cookies) : noLinks);
  });
  app.post('/answer', async (context) => {
    context.set('route', '/answer');
    const page = options.answerPage;
    const form = await readForm(context.env.incoming);
    if (!page || !form.ok) return respond(context, options, form.ok ? noLinks : form.problem);
    return respond(context, options, await page.answer(form.value, context.req.header('cookie') ?? ''));
  });
}

const noLinks = refuse('ROUTE_NOT_FOUND', 'this workspace has no signed links');

async function admit(
  context: AppContext,
  options: HttpAppOptions,
  isOpen: (path: string) => boolean,
): Promise<Reply | undefined> {
  const {headers} = context.req.raw;
  const foreign = refuseForeign(headers, options.hostsAllowed, context.env.incoming.url ?? '');
  if (foreign) return foreign;
  const {path} = context.req;
  if (path === '/readyz') return undefined;
  if (options.closing.aborted) return closingReply;
  if (isOpen(path)) return undefined;
  const {authenticator, watch} = options;
  const caller = await authenticator.callerOf(headers);
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
  const {outgoing} = context.env;
  const isAllowed = (): boolean => authenticator.isStillAllowed(headers, caller);
  outgoing.once(
    'close',
    watch.follow({isOfPerson: caller.person !== undefined, isAllowed, end: () => outgoing.destroy()}),
  );
  return undefined;
}

function createEndpoint(
  route: AnyRoute,
  options: HttpAppOptions,
  readBody: BodyReader,
): (context: AppContext) => Promise<Response> {
  const readShape = createShapeReader(route, readBody);
  return async (context) => {
    context.set('route', route.path);
    const caller = context.get('caller');
    const denied = route.role && denyRole(caller, route.role, route.alsoFor);
    if (denied) return respond(context, options, denied);
    const shape = await readShape(context.req.url, context.env.incoming);
    if (!shape.ok) return respond(context, options, shape.problem);
    const reply = await handle(route, context, options, shape.value);
    return respond(context, options, reply);
  };
}

function denyRole(caller: Principal, role: Role, also?: LoneRole): Reply | undefined {
  if (hasRole(caller, role) || (also !== undefined && hasRole(caller, also))) return undefined;
  return refuse('ROLE_DENIED', `this request requires role \`${role}\`; this token has role \`${caller.role}\``);
}

async function handle(route: AnyRoute, context: AppContext, options: HttpAppOptions, shape: Fitting): Promise<Reply> {
  const {host, feed, closing, inHand, authenticator} = options;
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
      isStillAllowed: () => authenticator.isStillAllowed(headers, caller),
    });
  } finally {
    inHand.delete(cancelling);
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
