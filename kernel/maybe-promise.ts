// A value that is usually available immediately. Awaiting it costs a turn of the microtask queue, which is as much as a whole stage
// of a call, so: `isPromise(it) ? await it : it`.

export type MaybePromise<T> = T | Promise<T>;

export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise;
}
