// Starts a Node program that hands sockets over: Node's own channel carries messages and the handles beside them.
import {spawn} from 'node:child_process';

export interface ChannelProcess {
  send(message: object): void;
  /** With what the process wrote to stderr, once it has ended or could not be started. Never rejects. */
  readonly ended: Promise<string>;
  /** Closes the channel: the program is to end. */
  disconnect(): void;
  kill(): void;
}

export interface ChannelOptions {
  readonly command: string;
  readonly args: readonly string[];
  /** `handle` is a server or socket that is ours from now on, undefined for a message alone. */
  readonly onMessage: (message: unknown, handle: unknown) => void;
}

const stderrCharactersMax = 4000;

export function spawnWithChannel({command, args, onMessage}: ChannelOptions): ChannelProcess {
  const child = spawn(command, [...args], {cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc']});
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(0, stderrCharactersMax);
  });
  child.on('message', onMessage);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(said));
  });
  return {
    // A channel that is closed already shows as the end of the process.
    send: (message) => void child.send(message, () => undefined),
    ended,
    disconnect: () => {
      if (child.connected) child.disconnect();
    },
    kill: () => void child.kill('SIGKILL'),
  };
}
