// Pool: from a thread of the host into the host and into the next call. Nothing here imports a module of Node, which a pack
// with in-process handlers may not; an attacker asks Node for it at run time.
import {didIt, saidSo, type Attack, type Attempt} from '../attack.ts';

interface Loader {
  (id: 'node:fs'): {readFileSync(path: string, encoding: 'utf8'): string};
  (id: 'node:worker_threads'): {readonly threadId: number};
}

/** The check of imports does not find a name that is put together: it is a check, not a wall. */
const fromNode = (process as unknown as Record<string, Loader>)[['get', 'Builtin', 'Module'].join('')] as Loader;

/** On a thread of the pool; the host must continue as before. */
const onPool = (
  name: string,
  title: string,
  attempt: Attempt,
  succeeded: Attack['succeeded'] = () => false,
): Attack => ({
  name,
  title,
  tool: 'pool',
  attempts: [attempt],
  succeeded,
  settleMs: 200,
});

/** One call leaves something, the next one looks. */
const across = (name: string, title: string, tool: Attack['tool'], attempts: readonly [Attempt, Attempt]): Attack => ({
  name,
  title,
  ...(tool && {tool}),
  attempts,
  succeeded: saidSo,
});

const shared = globalThis as unknown as Record<string, unknown>;
const prototype = Object.prototype as unknown as Record<string, unknown>;

export const environmentInProcess: readonly Attack[] = [
  {
    name: 'own-environment',
    title: "finds the host's variables in its own environment",
    tool: 'pool',
    attempts: [() => JSON.stringify(process.env)],
  },
  {
    name: 'context-environment',
    title: "finds another tool's variables where it gets its own",
    tool: 'pool',
    attempts: [(_setting, context) => JSON.stringify(context.env)],
  },
  {
    name: 'self-environ',
    title: 'reads the environment that its process was started with',
    tool: 'try-in-process',
    attempts: [() => fromNode('node:fs').readFileSync('/proc/self/environ', 'utf8')],
  },
];

export const threadAttacks: readonly Attack[] = [
  {
    name: 'asks-for-the-pool',
    title: 'asks for a thread, though its pin does not trust it',
    tool: 'try-in-process',
    attempts: [() => (fromNode('node:worker_threads').threadId > 0 ? didIt : 'a process of its own')],
    succeeded: saidSo,
  },
  {
    name: 'asks-for-the-pool-and-reads',
    title: "reads the host's files where it asked for a thread",
    tool: 'try-in-process',
    attempts: [({outside}) => fromNode('node:fs').readFileSync(`${outside}/secret`, 'utf8')],
  },
  onPool('exit', 'ends the process', () => process.exit(7)),
  onPool('abort-by-throw', 'throws where nobody catches', async () => {
    setTimeout(() => {
      throw new Error('thrown later');
    }, 5);
    return await new Promise((resolve) => setTimeout(resolve, 100, 'waited'));
  }),
  onPool('rejection', 'leaves a rejected promise', async () => {
    void Promise.reject(new Error('rejected'));
    return await new Promise((resolve) => setTimeout(resolve, 100, 'waited'));
  }),
  onPool('late-throw', 'throws when its call is over', () => {
    setTimeout(() => {
      throw new Error('thrown later');
    }, 50);
    return 'returned';
  }),
  onPool(
    'endless',
    'never gives the thread back',
    ({poolDeadlineMs}) => {
      const end = Date.now() + poolDeadlineMs + 4_000;
      while (Date.now() < end);
      return 'spun';
    },
    ({milliseconds, setting}) => milliseconds > setting.poolDeadlineMs + 2_500,
  ),
  onPool(
    'host-prototype',
    'changes Object.prototype of the host',
    () => ((prototype['polluted'] = true), 'done'),
    () => {
      const seen = 'polluted' in {};
      delete prototype['polluted'];
      return seen;
    },
  ),
  onPool(
    'host-global',
    'sets a global of the host',
    () => ((shared['planted'] = true), 'done'),
    () => {
      const seen = shared['planted'] === true;
      delete shared['planted'];
      return seen;
    },
  ),
  onPool(
    'host-environment',
    "sets a variable of the host's environment",
    () => ((process.env['PLANTED'] = '1'), 'done'),
    () => {
      const seen = process.env['PLANTED'] !== undefined;
      delete process.env['PLANTED'];
      return seen;
    },
  ),
  onPool(
    'host-cwd',
    "changes the host's folder",
    ({home}) => (process.chdir(home), 'done'),
    ({setting}) => {
      const seen = process.cwd() === setting.home;
      process.chdir(setting.outside);
      return seen;
    },
  ),
  onPool(
    'host-umask',
    "changes the host's umask",
    () => String(process.umask(0)),
    () => {
      const seen = process.umask(0o022) === 0;
      return seen;
    },
  ),
  onPool(
    'host-title',
    "renames the host's process",
    () => ((process.title = 'escaped'), 'done'),
    () => process.title === 'escaped',
  ),
  onPool(
    'host-fetch',
    "replaces the host's fetch",
    () => ((shared['kept'] = fetch), (shared['fetch'] = () => undefined), 'done'),
    () => {
      const seen = shared['kept'] !== undefined;
      if (seen) shared['fetch'] = shared['kept'];
      delete shared['kept'];
      return seen;
    },
  ),
  {
    name: 'polluting-result',
    title: "reaches the host's prototypes by a result with __proto__",
    tool: 'pool',
    attempts: [
      (setting) => {
        const result = JSON.parse(
          '{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}',
        ) as object;
        // What an unguarded host would do with it.
        if (!setting.guarded)
          for (const [key, value] of Object.entries(result))
            Object.assign(({} as Record<string, object>)[key] ?? {}, value);
        return JSON.stringify(result);
      },
    ],
    succeeded: () => {
      const seen = 'polluted' in {};
      delete prototype['polluted'];
      return seen;
    },
  },
  across('left-in-global', 'leaves a global for the next call of a sandboxed pack', 'try-in-process', [
    () => ((shared['left'] = true), 'left'),
    () => (shared['left'] === true ? didIt : 'nothing'),
  ]),
  across('left-in-prototype', 'leaves a changed prototype for the next call', 'try-in-process', [
    () => ((prototype['left'] = true), 'left'),
    () => ('left' in {} ? (delete prototype['left'], didIt) : 'nothing'),
  ]),
  across('left-in-environment', 'leaves a variable for the next call', 'try-in-process', [
    () => ((process.env['LEFT'] = '1'), 'left'),
    () => (process.env['LEFT'] === undefined ? 'nothing' : didIt),
  ]),
];
