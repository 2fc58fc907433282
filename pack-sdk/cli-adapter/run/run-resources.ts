// The resources that a run has started, and those of them that would keep its own process alive. async_hooks reports both by the
// code that created them. The process's own list would include resources of the host.
import {createHook} from 'node:async_hooks';

/** Requests to the system: alive until they are answered. */
const requestTypes =
  /(?:REQ|REQWRAP|REQCALLBACK|REQPROMISE|CONNECTWRAP|SHUTDOWNWRAP|WRITEWRAP|SENDWRAP|QUERYWRAP)$|^(?!HTTP).*REQUEST$/u;

interface Resource {
  readonly type: string;
  readonly hasRef?: () => boolean;
  readonly kill?: (signal: number) => void;
  readonly buffer?: unknown;
}

interface Tracked {
  readonly isOrphan: boolean;
  readonly type: string;
  readonly resource: Resource;
}

export interface RunResources {
  /** Something would keep the process of the command alive. */
  isActive(): boolean;
  /** Something can still run code of the command. */
  isAnythingLeft(): boolean;
  /** Clears its timers, as the end of its process would. */
  clearTimers(): void;
  killChildren(): void;
  /** Counts as active until the promise settles, for work that no hook reports. */
  hold<Value>(work: Promise<Value>): Promise<Value>;
  stopTracking(): void;
}

export interface ResourceWords {
  /** Of the run whose code is running. */
  current(): RunResources | undefined;
  /** Makes the callback that is about to be called the run's. */
  enter(): void;
  /** Whether imports wait at ports that do not keep the process alive. */
  importsByThread(): boolean;
}

export function trackResources({current, enter, importsByThread}: ResourceWords): RunResources {
  const tracked = new Map<number, Tracked>();
  let held = 0;
  const hook = createHook({
    init(id, type, trigger, given) {
      const resource = given as Resource;
      const owner = current();
      // Resources that the system creates for a server, such as a connection, have no creator.
      const isOrphan = owner === undefined && tracked.has(trigger);
      if ((owner === resources || isOrphan) && isTracked(type, resource)) tracked.set(id, {type, resource, isOrphan});
    },
    before(id) {
      if (tracked.get(id)?.isOrphan === true && current() === undefined) enter();
    },
    destroy(id) {
      tracked.delete(id);
    },
  });
  const release = (): void => void held--;

  const resources: RunResources = {
    isActive: () =>
      held > 0 ||
      [...tracked.values()].some((one) => holdsProcess(one) || (one.type === 'MESSAGEPORT' && importsByThread())),
    isAnythingLeft: () => held > 0 || [...tracked.values()].some(({type}) => type !== 'ZLIB'),
    clearTimers() {
      for (const {type, resource} of tracked.values()) {
        if (type === 'Timeout') clearTimeout(resource as unknown as NodeJS.Timeout);
        if (type === 'Immediate') clearImmediate(resource as unknown as NodeJS.Immediate);
      }
    },
    killChildren() {
      for (const {type, resource} of tracked.values()) if (type === 'PROCESSWRAP') resource.kill?.(9);
    },
    hold(work) {
      held++;
      work.then(release, release);
      return work;
    },
    stopTracking: () => void hook.disable(),
  };
  hook.enable();
  return resources;
}

function isTracked(type: string, resource: Resource): boolean {
  return type === 'ZLIB' || typeof resource.hasRef === 'function' || requestTypes.test(type);
}

function holdsProcess({type, resource}: Tracked): boolean {
  // An idle compressor does not keep the process alive; it works while it has a buffer.
  if (type === 'ZLIB') return resource.buffer !== undefined && resource.buffer !== null;
  return resource.hasRef?.() ?? true;
}
