// Why the API server refused a request, for people.
import {ApiException} from '@kubernetes/client-node';
import type {SandboxProblem} from '@lumenflow/sandbox/backends';

export interface RefusedRequest {
  /** What was requested, such as `create Jobs`. */
  readonly action: string;
  readonly context: string;
  readonly namespace: string;
}

const rights = 'apply the manifests of `@lumenflow/integration-kubernetes`, which grant a host its rights';

export function explainRefusal(error: unknown, {action, context, namespace}: RefusedRequest): SandboxProblem {
  if (!(error instanceof ApiException)) {
    if (!isOfNetwork(error)) {
      return {
        message: `what answers at the API server of the context \`${context}\` is not Kubernetes (\`${textOf(error)}\`)`,
        help: 'correct the address in the kubeconfig, or sign in at the proxy in between',
      };
    }
    return {
      message: `the API server of the context \`${context}\` does not answer (\`${textOf(error)}\`)`,
      help: 'run `kubectl version` with the same kubeconfig, and correct what it reports',
    };
  }
  const message = messageOf(error);
  if (error.code === 401) {
    return {
      message: `the API server of the context \`${context}\` does not accept the credential of the kubeconfig`,
      help: 'renew the credential: `kubectl auth can-i create jobs` shows whether it works',
    };
  }
  if (error.code === 403 && /exceeded quota/.test(message)) {
    return {
      message: `the quota of the namespace \`${namespace}\` is used up (\`${message}\`)`,
      help: 'wait for other calls to end, or raise the quota of the namespace',
    };
  }
  if (error.code === 403) {
    return {message: `the host may not ${action} in the namespace \`${namespace}\` (\`${message}\`)`, help: rights};
  }
  if (error.code === 404) {
    return {
      message: `the cluster has no namespace \`${namespace}\`, or not all resources there (\`${message}\`)`,
      help: rights,
    };
  }
  return {
    message: `the API server refused to ${action} (\`${message}\`)`,
    help: 'correct what it reports, and retry',
  };
}

/** The library throws these for answers with another type or content than those of Kubernetes. */
function isOfNetwork(error: unknown): boolean {
  const isUnreadable = error instanceof SyntaxError || error instanceof TypeError;
  return !isUnreadable && !textOf(error).startsWith('The mediaType ');
}

function messageOf({body, message}: ApiException<unknown>): string {
  try {
    const {message: said} = (typeof body === 'string' ? JSON.parse(body) : body) as {readonly message?: string};
    return said ?? message;
  } catch {
    // A proxy in between does not answer in JSON.
    return message;
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String((error as {readonly message?: unknown}).message ?? error);
}
