// The cluster that calls run in, as the kubeconfig of the host's user describes it.
import {
  BatchV1Api,
  CoreV1Api,
  createConfiguration,
  CustomObjectsApi,
  KubeConfig,
  NetworkingV1Api,
  ServerConfiguration,
  VersionApi,
  Watch,
  type Middleware,
} from '@kubernetes/client-node';
import {failed, ok, type Outcome} from '@lumenflow/sandbox/backends';
import type {KubernetesOptions} from './kubernetes-options.ts';

export interface Cluster {
  /** Of the kubeconfig. */
  readonly context: string;
  readonly namespace: string;
  /** Host and port of its API, which calls must not reach. */
  readonly server: URL;
  readonly core: CoreV1Api;
  readonly batch: BatchV1Api;
  readonly custom: CustomObjectsApi;
  readonly networking: NetworkingV1Api;
  readonly versions: VersionApi;
  readonly watch: Watch;
  /** With its credentials, for what the client library does not offer. */
  readonly config: KubeConfig;
}

const namespaceDefault = 'lumenflow';
/** Of each request except watches, which have a deadline of their own. */
const answerMs = 30_000;

export function openCluster(
  {context, namespace = namespaceDefault}: KubernetesOptions,
  withinMs: number = answerMs,
): Outcome<Cluster> {
  const config = new KubeConfig();
  try {
    config.loadFromDefault();
  } catch (error) {
    return failed({
      message: `the kubeconfig cannot be read (\`${error instanceof Error ? error.message : String(error)}\`)`,
      help: 'correct the file that `KUBECONFIG` names, or `~/.kube/config`',
    });
  }
  const contexts = config.getContexts().map(({name}) => name);
  if (context !== undefined && !contexts.includes(context)) {
    return failed({
      message: `the kubeconfig has no context \`${context}\``,
      help: `set \`security.sandbox.backends.kubernetes.context\` to one of: ${contexts.join(', ')}`,
    });
  }
  if (context !== undefined) config.setCurrentContext(context);
  const server = config.getCurrentCluster()?.server;
  if (server === undefined) {
    return failed({
      message: 'the kubeconfig names no cluster',
      help: 'set `KUBECONFIG` to a file with a current context, or set `security.sandbox.backends.kubernetes.context`',
    });
  }
  const access = createConfiguration({
    baseServer: new ServerConfiguration(server, {}),
    authMethods: {default: config},
    promiseMiddleware: [limitedTo(withinMs)],
  });
  return ok({
    context: config.getCurrentContext(),
    namespace,
    server: new URL(server),
    core: new CoreV1Api(access),
    batch: new BatchV1Api(access),
    custom: new CustomObjectsApi(access),
    networking: new NetworkingV1Api(access),
    versions: new VersionApi(access),
    watch: new Watch(config),
    config,
  });
}

/** The library would wait for ever for a server that accepts a connection and does not answer, or stops in an answer. */
function limitedTo(withinMs: number): Middleware {
  return {
    pre: (request) => {
      request.setSignal(AbortSignal.timeout(withinMs));
      return Promise.resolve(request);
    },
    post: (response) => Promise.resolve(response),
  };
}
