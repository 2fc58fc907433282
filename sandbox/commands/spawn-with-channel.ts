// Starts a program that hands sockets over: Node's own channel carries messages and the handles beside them.
import {spawn} from 'node:child_process';
import {refHandles} from './ref-handles.ts';

export interface ChannelProcess {
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  send(message: object): void;
  /** Once it has ended or could not be started. Never rejects. */
  readonly ended: Promise<ChannelEnd>;
  /** Closes the channel. */
  disconnect(): void;
  /** Closes its input, of which it never gets a byte. */
  endInput(): void;
  kill(): void;
  /** Whether our own process stays alive for it; it does at first. */
  keepAlive(on: boolean): void;
}

export interface ChannelEnd {
  readonly stdout: string;
  readonly stderr: string;
}

export interface ChannelOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** `handle` is a server or socket that is ours from now on, undefined for a message alone. */
  readonly onMessage: (message: unknown, handle: unknown) => void;
  /** The channel is closed, from either side. */
  readonly onDisconnect: () => void;
}

const stdoutCharactersMax = 256 * 1024;
const stderrCharactersMax = 4000;

export function spawnWithChannel({command, args, onMessage, onDisconnect}: ChannelOptions): ChannelProcess {
  const child = spawn(command, [...args], {cwd: '/', env: {}, stdio: ['pipe', 'pipe', 'pipe', 'ipc']});
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout = `${stdout}${text}`.slice(0, stdoutCharactersMax);
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = `${stderr}${text}`.slice(0, stderrCharactersMax);
  });
  child.stdin?.on('error', () => undefined);
  child.on('message', onMessage).once('disconnect', onDisconnect);
  const ended = new Promise<ChannelEnd>((resolve) => {
    child.once('error', (error) => resolve({stdout, stderr: error.message}));
    // The event `close` does not come once the channel was closed from here.
    const ends = [child, child.stdout, child.stderr].map(
      (part) => new Promise<void>((done) => part?.once(part === child ? 'exit' : 'close', () => done())),
    );
    void Promise.all(ends).then(() => resolve({stdout, stderr}));
  });
  return {
    pid: child.pid,
    // A channel that is closed already shows as the end of the process.
    send: (message) => void child.send(message, () => undefined),
    ended,
    disconnect: () => {
      if (child.connected) child.disconnect();
    },
    endInput: () => void child.stdin?.end(),
    kill: () => void child.kill('SIGKILL'),
    keepAlive: (on) => refHandles([child, child.stdin, child.stdout, child.stderr], on),
  };
}
