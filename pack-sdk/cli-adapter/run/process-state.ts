// What of the process a command may change and what it is to leave as it was: folder, umask, environment, exit code,
// properties and listeners.
import type {EventEmitter} from 'node:events';

export interface ProcessState {
  /** The environment as the command sees it; once it is over, changes go nowhere. */
  env(isOver: () => boolean): NodeJS.ProcessEnv;
  /** Emits to the listeners that were added since. */
  emitOwn(event: 'exit' | 'beforeExit', code: number): void;
  restore(): void;
}

type Listener = (...parameters: unknown[]) => void;

/** Saves the present state, and starts with a clean exit code. */
export function saveProcessState(): ProcessState {
  const {exitCode, title} = process;
  const cwd = process.cwd();
  const umask = process.umask();
  const hostEnv = process.env;
  const envBefore = {...hostEnv};
  const listeners = saveListeners(process);
  const streams = [saveListeners(process.stdout), saveListeners(process.stderr)];
  const restoreProperties = saveProperties(process);
  process.exitCode = undefined;

  return {
    env: (isOver) => guardedEnv(hostEnv, isOver),
    emitOwn(event, code) {
      const own = listeners.own(event);
      setListeners(process, event, own);
      try {
        (process as EventEmitter).emit(event, code);
      } finally {
        const left = process.rawListeners(event) as Listener[];
        setListeners(process, event, [...listeners.before(event), ...left]);
      }
    },
    restore() {
      restoreProperties();
      for (const held of [listeners, ...streams]) held.restore();
      for (const name of Object.keys(hostEnv)) if (!Object.hasOwn(envBefore, name)) delete hostEnv[name];
      for (const [name, value] of Object.entries(envBefore)) if (hostEnv[name] !== value) hostEnv[name] = value;
      process.umask(umask);
      process.chdir(cwd);
      process.title = title;
      process.exitCode = exitCode;
    },
  };
}

/** Gives a function that puts back the properties which were changed, added or removed since. */
export function saveProperties(owner: object): () => void {
  const before = new Map(Reflect.ownKeys(owner).map((key) => [key, Object.getOwnPropertyDescriptor(owner, key)]));
  return () => {
    for (const key of Reflect.ownKeys(owner)) if (!before.has(key)) Reflect.deleteProperty(owner, key);
    for (const [key, descriptor] of before) {
      // Node's own books, such as those of the listeners.
      if (descriptor === undefined || String(key).startsWith('_')) continue;
      const now = Object.getOwnPropertyDescriptor(owner, key);
      const isSame = now !== undefined && now.value === descriptor.value && now.get === descriptor.get;
      if (!isSame) Reflect.defineProperty(owner, key, descriptor);
    }
  };
}

interface SavedListeners {
  before(event: string | symbol): readonly Listener[];
  own(event: string | symbol): readonly Listener[];
  restore(): void;
}

function saveListeners(emitter: EventEmitter): SavedListeners {
  const held = new Map(emitter.eventNames().map((event) => [event, emitter.rawListeners(event) as Listener[]]));
  const before = (event: string | symbol): readonly Listener[] => held.get(event) ?? [];
  return {
    before,
    own: (event) => (emitter.rawListeners(event) as Listener[]).filter((listener) => !before(event).includes(listener)),
    restore() {
      for (const event of new Set([...emitter.eventNames(), ...held.keys()])) {
        const now = emitter.rawListeners(event) as Listener[];
        const wanted = before(event);
        const isSame = now.length === wanted.length && now.every((listener, index) => listener === wanted[index]);
        if (!isSame) setListeners(emitter, event, wanted);
      }
    },
  };
}

function setListeners(emitter: EventEmitter, event: string | symbol, listeners: readonly Listener[]): void {
  emitter.removeAllListeners(event);
  for (const listener of listeners) emitter.on(event, listener);
}

/** Writes reach the real environment, which children inherit and the time zone is read from. */
function guardedEnv(env: NodeJS.ProcessEnv, isOver: () => boolean): NodeJS.ProcessEnv {
  return new Proxy(env, {
    set: (target, name, value) => isOver() || Reflect.set(target, name, value),
    deleteProperty: (target, name) => isOver() || Reflect.deleteProperty(target, name),
    defineProperty: (target, name, descriptor) => isOver() || Reflect.defineProperty(target, name, descriptor),
  });
}
