// The resources that a run has started, and those of them that would keep its own process alive. async_hooks reports both by the
// code that created them. The process's own list would include resources of the host.
import {AsyncResource, createHook} from 'node:async_hooks';

/** Requests to the system: alive until they are answered. */
const requestTypes =
  /(?:REQ|REQWRAP|REQCALLBACK|REQPROMISE|CONNECTWRAP|SHUTDOWNWRAP|WRITEWRAP|SENDWRAP|QUERYWRAP)$|^(?!HTTP).*REQUEST$/u;

/** Types of Node itself. */
const nodeTypes = /^(?:[A-Z][A-Z0-9_]*|Timeout|Immediate|TickObject|Microtask)$/u;

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
  /** What an addon creates as it is loaded serves the addon until the end of the process, so it does not count. */
  loadAddon<Value>(load: () => Value): Value;
  stopTracking(): void;
}

export interface ResourceWords {
  /** Of the run whose code is running. */
  current(): RunResources | undefined;
  /** Makes the callback that is about to be called the run's. */
  enter(): void;
}

export function trackResources({current, enter}: ResourceWords): RunResources {
  const tracked = new Map<number, Tracked>();
  let held = 0;
  let addonsLoading = 0;
  const hook = createHook({
    init(id, type, trigger, given) {
      const resource = given as Resource;
      const owner = current();
      // Resources that the system creates for a server, such as a connection, have no creator.
      const isOrphan = owner === undefined && tracked.has(trigger);
      if ((owner === resources || isOrphan) && isTracked(type, resource, addonsLoading > 0))
        tracked.set(id, {type, resource, isOrphan});
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
    isActive: () => held > 0 || [...tracked.values()].some(holdsProcess),
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
    loadAddon(load) {
      addonsLoading++;
      try {
        return load();
      } finally {
        addonsLoading--;
      }
    },
    stopTracking: () => void hook.disable(),
  };
  hook.enable();
  return resources;
}

function isTracked(type: string, resource: Resource, isLoadingAddon: boolean): boolean {
  if (type === 'ZLIB' || typeof resource.hasRef === 'function' || requestTypes.test(type)) return true;
  // Work of a native addon, which Node destroys when it is done. Addons name it as they like, and Node names nothing like this.
  return !nodeTypes.test(type) && !(resource instanceof AsyncResource) && !isLoadingAddon;
}

function holdsProcess({type, resource}: Tracked): boolean {
  // An idle compressor does not keep the process alive; it works while it has a buffer.
  if (type === 'ZLIB') return resource.buffer !== undefined && resource.buffer !== null;
  return resource.hasRef?.() ?? true;
}
