// A client of Node's inspector. The WebSocket is a child process, because Node 20 has one only behind a flag.
import {spawn} from 'node:child_process';
import {createInterface} from 'node:readline';
import {vi} from 'vitest';

export interface InspectorEvent {
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface InspectorClient {
  /** The result of a command. Rejects with the inspector's error. */
  send(method: string, params?: object): Promise<Readonly<Record<string, unknown>>>;
  /** The first event so far or later for which `matches` returns true. */
  event(method: string, matches: (params: InspectorEvent['params']) => boolean): Promise<InspectorEvent['params']>;
  close(): void;
}

const bridge = `
const socket = new WebSocket(process.argv[1]);
socket.onmessage = ({data}) => console.log(data);
socket.onopen = () => console.log('{"method":"opened","params":{}}');
socket.onclose = () => process.exit();
require('node:readline').createInterface(process.stdin).on('line', (line) => socket.send(line));
`;
const patience = {timeout: 60_000, interval: 20};

interface Answer extends Partial<InspectorEvent> {
  readonly id?: number;
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: {readonly message: string};
}

/** Waits until a process listens at the port of 127.0.0.1. */
export async function connectInspector(port: number): Promise<InspectorClient> {
  const address = await vi.waitFor(async () => {
    const [target] = (await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()) as {
      webSocketDebuggerUrl?: string;
    }[];
    if (target?.webSocketDebuggerUrl === undefined) throw new Error('nothing can be debugged yet');
    return target.webSocketDebuggerUrl;
  }, patience);
  const child = spawn(process.execPath, ['--experimental-websocket', '--no-warnings', '--eval', bridge, address], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const received: Answer[] = [];
  createInterface(child.stdout).on('line', (line) => received.push(JSON.parse(line) as Answer));
  const find = async (matches: (answer: Answer) => boolean, what: string): Promise<Answer> =>
    await vi.waitFor(() => {
      const found = received.find(matches);
      if (found === undefined) throw new Error(`the inspector has not sent ${what}`);
      return found;
    }, patience);
  let count = 0;
  await find(({method}) => method === 'opened', 'anything');
  return {
    async send(method, params = {}) {
      const id = ++count;
      child.stdin.write(`${JSON.stringify({id, method, params})}\n`);
      const {result = {}, error} = await find((answer) => answer.id === id, `the result of ${method}`);
      if (error !== undefined) throw new Error(`${method}: ${error.message}`);
      return result;
    },
    async event(method, matches) {
      const found = await find(({method: sent, params}) => sent === method && matches(params ?? {}), method);
      return found.params ?? {};
    },
    close: () => void child.kill(),
  };
}
