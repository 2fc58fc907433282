// The SDK calls Promise.withResolvers, which Node 20 does not have. A module that imports the SDK imports this file first.

interface Resolvers<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T | PromiseLike<T>) => void;
  readonly reject: (reason?: unknown) => void;
}

function withResolvers<T>(this: PromiseConstructor): Resolvers<T> {
  const made: {resolve?: Resolvers<T>['resolve']; reject?: Resolvers<T>['reject']} = {};
  const promise = new this<T>((resolve, reject) => Object.assign(made, {resolve, reject}));
  return {promise, ...made} as Resolvers<T>;
}

if (!('withResolvers' in Promise)) {
  Object.defineProperty(Promise, 'withResolvers', {value: withResolvers, writable: true, configurable: true});
}
