// The machine with the program on it, from outside: started for a user and a backend, asked for one attack after the other.
// When an attack ends it, that was its success; the next attack gets a new one.
import {spawn, spawnSync, type ChildProcess} from 'node:child_process';
import {randomBytes} from 'node:crypto';
import {chmodSync, chownSync, mkdtempSync, realpathSync} from 'node:fs';
import {homedir, tmpdir} from 'node:os';
import {createInterface} from 'node:readline';
import {join} from 'node:path';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {attackedBackends} from './attacked-backends.ts';
import type {StageAnswer, StageOrder} from './stage-wire.ts';

export interface StageOptions {
  readonly backend: SandboxBackendName;
  /** Whether host and backend enforce anything. */
  readonly guarded: boolean;
  /** Whether attempts are made in sandboxes that were started before their calls. */
  readonly warm: boolean;
  /** Undefined: the user of the harness. */
  readonly uid: number | undefined;
}

/** Why there is no machine to make an attack on, although its start was repeated. */
export interface NoMachine {
  readonly noMachine: string;
}

export interface Stage {
  attack(name: string): Promise<StageAnswer | NoMachine>;
  close(): Promise<void>;
}

/** Of a laboratory and of the world: all lie on the machine's own loopback. */
const addresses: readonly string[] = [
  '169.254.169.254',
  '169.254.7.7',
  '10.11.12.13',
  '1.2.3.4',
  '1.2.3.5',
  '10.11.12.14',
];
const addresses6: readonly string[] = ['fd00:ec2::254', '2606:4700::7'];
/** On a machine with other work, too. */
const startMs = 300_000;
const startsMax = 2;
/** Unsandboxed, silence is a proof. Guarded it is a success of the attack, so it must not be a slow machine's. */
const attackMs = {plain: 40_000, guarded: 300_000, slow: 600_000} as const;

interface Running {
  ask(order: StageOrder): Promise<StageAnswer | 'gone'>;
  close(): Promise<void>;
}

export function createStage(options: StageOptions): Stage {
  let running: Running | undefined;
  let isFresh = true;
  const ask = async (name: string): Promise<StageAnswer | NoMachine | 'gone'> => {
    isFresh = running === undefined;
    if (running === undefined) {
      const started = await startReliably(options);
      if ('noMachine' in started) return started;
      running = started;
    }
    const answer = await running.ask({attack: name, warm: options.warm});
    if (answer !== 'gone' && !answer.spoilt) return answer;
    await running.close();
    running = undefined;
    return answer;
  };
  return {
    async attack(name) {
      const answer = await ask(name);
      if (answer === 'gone') return ended;
      if ('noMachine' in answer || answer.begun || answer.refused || isFresh) return answer;
      // What an earlier attack left may keep a call from beginning: a new machine says more.
      const again = await ask(name);
      return again === 'gone' ? ended : again;
    },
    async close() {
      await running?.close();
    },
  };
}

const ended: StageAnswer = {
  begun: true,
  refused: false,
  spoilt: true,
  succeeded: true,
  warm: 0,
  said: 'the host was ended, or did not answer any more',
};

/** The machine could not be prepared for the attack: a new one may be. */
const unprepared = {begun: false, refused: false, spoilt: true, succeeded: false, warm: 0} as const;

async function startReliably(options: StageOptions): Promise<Running | NoMachine> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(options);
    } catch (error) {
      if (attempt === startsMax) return {noMachine: String(error)};
      process.stderr.write(`${String(error)}\nstarting it once more\n`);
    }
  }
}

async function start({backend, guarded, warm, uid}: StageOptions): Promise<Running> {
  const asRoot = process.getuid?.() === 0;
  const namespaces = ['--mount', '--pid', '--fork', '--mount-proc', '--ipc', '--net', '--uts', '--kill-child'];
  const ordinary = asRoot ? [] : ['--user', '--map-current-user', '--keep-caps'];
  const machine = ['perl', join(import.meta.dirname, 'machine.pl'), uid === undefined ? '-' : String(uid), emptied()];
  const program = [process.execPath, '--import', 'tsx', join(import.meta.dirname, 'stage-program.ts')];
  const mode = guarded ? 'guarded' : 'plain';
  const isSlow = attackedBackends[backend]?.startsSlowly === true;
  // Deleted from here, where nothing that an attack has mounted can be reached. Paths of an engine's sockets are short.
  const [base = '', engines = ''] = [tmpdir(), '/var/tmp'].map((parent) => makeFolder(parent, uid));
  const words = [base, engines, backend, mode, warm ? 'warm' : 'cold'];
  const child = spawn('unshare', [...ordinary, ...namespaces, ...machine, ...program, ...words], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: {
      PATH: process.env['PATH'] ?? '',
      HOST_SECRET: `secret-${randomBytes(16).toString('hex')}`,
      ESCAPE_ADDRESSES: addresses.join(),
      ESCAPE_BASE: base,
      ESCAPE_ADDRESSES6: addresses6.join(),
      ESCAPE_KEPT: join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'lumenflow/kubernetes/bin'),
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const talk = converse(child);
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await talk.ended;
    spawnSync('rm', ['-rf', base, engines]);
  };
  const ready = await talk.answer(startMs);
  if (ready === 'gone' || ready['ready'] !== true) {
    await end();
    throw new Error(`the machine did not start: ${talk.complaints()}`);
  }
  return {
    async ask(order) {
      child.stdin.write(`${JSON.stringify(order)}\n`);
      const answer = await talk.answer(attackMs[isSlow ? 'slow' : mode]);
      if (answer === 'gone') return 'gone';
      if (answer['problem'] !== undefined) return {...unprepared, said: JSON.stringify(answer['problem'])};
      return answer as unknown as StageAnswer;
    },
    async close() {
      child.stdin.end();
      await Promise.race([talk.ended, new Promise((resolve) => setTimeout(resolve, 5_000).unref())]);
      await end();
    },
  };
}

function makeFolder(parent: string, uid: number | undefined): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'lumenflow-escape-')));
  chmodSync(folder, 0o755);
  if (uid !== undefined) chownSync(folder, uid, uid);
  return folder;
}

type Reply = Readonly<Record<string, unknown>> | 'gone';

function converse(child: ChildProcess): {
  readonly ended: Promise<void>;
  /** The next line; `gone` when the process has ended or is silent. */
  answer(timeoutMs: number): Promise<Reply>;
  complaints(): string;
} {
  let complaints = '';
  let onLine: ((reply: Reply) => void) | undefined;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints = `${complaints}${text}`.slice(-4000);
  });
  // Input that an ended process can no longer read does not matter.
  child.stdin?.on('error', () => undefined);
  if (child.stdout !== null) {
    createInterface({input: child.stdout}).on('line', (line) => onLine?.(JSON.parse(line) as Reply));
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  return {
    ended,
    complaints: () => complaints,
    answer: async (timeoutMs) =>
      await new Promise((resolve) => {
        const timer = setTimeout(() => resolve('gone'), timeoutMs);
        onLine = (reply) => {
          clearTimeout(timer);
          resolve(reply);
        };
        void ended.then(() => onLine?.('gone'));
      }),
  };
}

/** Folders that become empty ones of the machine, unless this project or its Node lies in them. */
function emptied(): string {
  const needed = [process.execPath, import.meta.dirname];
  return ['/run', '/srv', '/root', '/home', '/dev/shm']
    .filter((folder) => !needed.some((path) => path.startsWith(`${folder}/`)))
    .join();
}
