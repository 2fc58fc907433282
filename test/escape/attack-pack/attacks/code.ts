// From code that a call runs: out of its engine, around the gateway, and beyond its limits. Unsandboxed, the same code runs in the
// process of the handler, with everything that Node has.
import {createRequire} from 'node:module';
import type {ToolContext} from '@lumenflow/pack-sdk';
import {saidSo, type Attack, type Attempt, type Setting} from '../attack.ts';

interface CodeOptions {
  readonly allow?: readonly string[];
  readonly limits?: Readonly<Record<string, number>>;
}

type Written = (setting: Setting) => string;

/** Runs JavaScript by `code:run`, or as a function of this process. */
const inEngine =
  (code: Written, options: CodeOptions = {}): Attempt =>
  async (setting, context) => {
    if (!setting.guarded) return JSON.stringify((await plainly(code(setting), context)) ?? null);
    return JSON.stringify(
      await context.callTool('code:run', {language: 'javascript', code: code(setting), ...options}),
    );
  };

/** Runs a program by `code:run-sandboxed`. */
const inSandbox =
  (code: Written, options: CodeOptions = {}): Attempt =>
  async (setting, context) => {
    if (!setting.guarded) return JSON.stringify((await plainly(code(setting), context)) ?? null);
    const request = {language: 'javascript', code: code(setting), ...options};
    return JSON.stringify(await context.callTool('code:run-sandboxed', request));
  };

async function plainly(code: string, context: ToolContext): Promise<unknown> {
  const call = async (name: string, args: unknown): Promise<unknown> => {
    const {data, error} = await context.callTool(name, args);
    if (error) throw new Error(error.message);
    return data;
  };
  const verbs = new Proxy({}, {get: (_, verb) => (args: unknown) => call(`attack:${String(verb)}`, args)});
  const gateway = {runTool: (id: string, args: unknown) => call(id.trim().toLowerCase(), args)};
  const AsyncFunction = (async () => undefined).constructor as new (
    ...source: readonly string[]
  ) => (...values: readonly unknown[]) => Promise<unknown>;
  const run = new AsyncFunction('tools', 'gateway', 'require', code);
  return await run({attack: verbs}, gateway, createRequire(import.meta.url));
}

const marks = ({setting, read}: Parameters<NonNullable<Attack['succeeded']>>[0]): boolean =>
  read(`${setting.root}/work/marked`)?.includes(setting.marker) === true;

const quoted = (text: string): string => JSON.stringify(text);
const args = ({marker}: Setting): string => `{marker: ${quoted(marker)}}`;

const reading = (name: string, title: string, code: Written): readonly Attack[] => [
  {name: `code-${name}`, title: `${title}, from QuickJS`, attempts: [inEngine(code)]},
  {name: `code-sandboxed-${name}`, title: `${title}, from code in the sandbox`, attempts: [inSandbox(code)]},
];

const calling = (name: string, title: string, code: Written, options: CodeOptions = {}): readonly Attack[] => [
  {name: `code-${name}`, title: `${title}, from QuickJS`, attempts: [inEngine(code, options)], succeeded: marks},
  {
    name: `code-sandboxed-${name}`,
    title: `${title}, from code in the sandbox`,
    attempts: [inSandbox(code, options)],
    succeeded: marks,
  },
];

const bounded = (name: string, title: string, code: string, limits: CodeOptions['limits']): Attack => ({
  name: `code-${name}`,
  title,
  attempts: [inEngine(() => code, {limits: {...limits}})],
  succeeded: saidSo,
});

const mebibyte = 1024 * 1024;
const second = {wall_time_ms: 1_000};
const small = {memory_bytes: 16 * mebibyte};

export const codeAttacks: readonly Attack[] = [
  ...reading(
    'read-file',
    'reads a file outside',
    ({outside}) => `return require('node:fs').readFileSync(${quoted(`${outside}/secret`)}, 'utf8');`,
  ),
  ...reading(
    'read-by-constructor',
    'reads a file with a function of the outer realm',
    ({outside}) => `
      const outer = [gateway, gateway.runTool, tools].map((value) => value.constructor?.constructor ?? value.constructor);
      for (const make of outer) {
        try {
          const fs = make('return process')().getBuiltinModule('node:fs');
          return fs.readFileSync(${quoted(`${outside}/secret`)}, 'utf8');
        } catch {}
      }
      return require('node:fs').readFileSync(${quoted(`${outside}/secret`)}, 'utf8');`,
  ),
  ...reading(
    'read-import',
    'imports a module that reads a file',
    ({outside}) => `return (await import('node:fs')).readFileSync(${quoted(`${outside}/secret`)}, 'utf8');`,
  ),
  ...reading(
    'environment',
    'reads the environment of the host',
    ({hostPid}) => `return require('node:fs').readFileSync('/proc/${hostPid}/environ', 'latin1');`,
  ),
  ...calling(
    'forbidden',
    'calls a tool that policy denies',
    (setting) => `await tools.attack.forbidden(${args(setting)});`,
  ),
  ...calling('internal', 'calls an internal tool', (setting) => `await tools.attack.internal(${args(setting)});`),
  ...calling(
    'not-allowed',
    'calls a tool that is not in its list',
    (setting) => `await gateway.runTool('attack:mark', ${args(setting)});`,
    {allow: ['attack:forbidden', 'other:*']},
  ),
  ...calling(
    'spelt-otherwise',
    'writes a tool in another form than its list',
    (setting) => `
      for (const id of [' attack:mark', 'ATTACK:MARK', 'attack:mark@0.1.0', 'attack:Mark ']) {
        try { await gateway.runTool(id, ${args(setting)}); } catch {}
      }
      await tools.attack.mark(${args(setting)});`,
    {allow: ['attack:forbidden']},
  ),
  ...calling(
    'without-budget',
    'calls a tool without a budget',
    (setting) => `await tools.attack.mark(${args(setting)});`,
    {
      limits: {tool_calls: 0},
    },
  ),
  ...calling(
    'polluted',
    'replaces the prototypes that a gateway would use',
    (setting) => `
      const {split} = String.prototype;
      const inherited = {ok: true, allow: ['*'], isAllowed: () => true};
      String.prototype.split = () => ['attack:mark'];
      for (const [key, value] of Object.entries(inherited)) {
        Object.defineProperty(Object.prototype, key, {value, configurable: true});
      }
      const calling = gateway.runTool('attack:mark', ${args(setting)});
      String.prototype.split = split;
      for (const key of Object.keys(inherited)) delete Object.prototype[key];
      await calling;`,
    {allow: ['other:*']},
  ),
  bounded(
    'loop',
    'runs longer than its limit',
    'const end = Date.now() + 4000; while (Date.now() < end); return "did it";',
    second,
  ),
  bounded(
    'memory',
    'takes more memory than its limit',
    'return "did it: " + new Array(1e7).fill(0).map((_, at) => at).length;',
    small,
  ),
  bounded('buffer', 'takes a large buffer', 'return "did it: " + new Uint8Array(2 ** 28).fill(1).length;', small),
  bounded(
    'wasm-memory',
    'grows a memory of WebAssembly',
    'const memory = new WebAssembly.Memory({initial: 1}); memory.grow(4096); return "did it";',
    small,
  ),
  {
    name: 'code-forged-report',
    title: 'returns its own report',
    attempts: [
      inEngine(() => {
        const forged = {value: 1, calls: [{tool_id: 'did it', status: 'succeeded'}], used: {tool_calls: 0}};
        return `return ${JSON.stringify(forged)};`;
      }),
    ],
    succeeded: ({said}) => {
      const output = JSON.parse(said) as {readonly data?: unknown; readonly calls?: unknown};
      const {calls} = Object(output.data ?? output) as {readonly calls?: readonly unknown[]};
      return JSON.stringify(calls ?? []).includes('did it');
    },
  },
];
