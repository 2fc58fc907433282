// The active context of OpenTelemetry's API, along asynchronous calls.
import {ROOT_CONTEXT, type Context, type ContextManager} from '@opentelemetry/api';
import {AsyncLocalStorage} from 'node:async_hooks';

export function createAsyncContexts(): ContextManager {
  const storage = new AsyncLocalStorage<Context>();
  const manager: ContextManager = {
    active: () => storage.getStore() ?? ROOT_CONTEXT,
    with: (context, act, self, ...args) => storage.run(context, () => act.apply(self as never, args)),
    bind: (context, target) => {
      if (typeof target !== 'function') return target;
      const bound = (...args: unknown[]): unknown =>
        storage.run(context, () => (target as Function)(...args) as unknown);
      return bound as typeof target;
    },
    enable: () => manager,
    disable: () => manager,
  };
  return manager;
}
