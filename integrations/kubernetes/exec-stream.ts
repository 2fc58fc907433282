// A program in a container, as a stream: its input and output are messages of a WebSocket through the API server, so that a Pod
// needs no network at all. Unlike `attach`, nothing of it is in the log of the container.
import {Duplex} from 'node:stream';
import {stringify} from 'node:querystring';
import type {KubeConfig} from '@kubernetes/client-node';
import {WebSocket} from 'ws';

export interface ExecTarget {
  readonly config: KubeConfig;
  readonly server: URL;
  readonly namespace: string;
  readonly pod: string;
  readonly container: string;
  readonly command: readonly string[];
}

const channels = {stdin: 0, stdout: 1, stderr: 2, status: 3} as const;
/** Load balancers drop connections that are silent for longer. */
const pingMs = 20_000;
const openMs = 30_000;
/** Its first byte names the stream of a message. */
const protocol = 'v4.channel.k8s.io';
const saidCharactersMax = 4000;

export class ExecStream extends Duplex {
  /** The last that the program printed as errors. */
  said = '';
  /** Resolves once nothing more comes. */
  readonly over: Promise<void>;
  readonly #socket: WebSocket;
  #isAnswering = true;

  private constructor(socket: WebSocket) {
    super();
    this.#socket = socket;
    this.over = new Promise((resolve) => this.once('close', () => resolve()));
    this.on('error', () => undefined);
    const timer = setInterval(() => this.#ping(), pingMs);
    timer.unref();
    socket.on('pong', () => (this.#isAnswering = true));
    socket.on('error', () => undefined);
    socket.on('message', (message: Buffer) => this.#take(message[0], message.subarray(1)));
    socket.on('close', () => {
      clearInterval(timer);
      this.push(null);
      this.destroySoon();
    });
  }

  /** Rejects if the API server refuses. */
  static async open({config, server, namespace, pod, container, command}: ExecTarget): Promise<ExecStream> {
    const query = stringify({stdin: true, stdout: true, stderr: true, tty: false, container, command: [...command]});
    const path = `${server.pathname.replace(/\/$/, '')}/api/v1/namespaces/${namespace}/pods/${pod}/exec?${query}`;
    const options: object = {};
    await config.applyToHTTPSOptions(options);
    const url = `${server.protocol === 'http:' ? 'ws' : 'wss'}://${server.host}${path}`;
    const socket = new WebSocket(url, protocol, {...options, handshakeTimeout: openMs});
    // It listens before the handshake: the first messages can arrive with the answer.
    const stream = new ExecStream(socket);
    await new Promise<void>((resolve, reject) => {
      socket.once('open', resolve).once('error', reject);
      socket.once('unexpected-response', (_, {statusCode}) => {
        reject(new Error(`it returned the status ${statusCode}`));
        socket.terminate();
      });
    });
    return stream;
  }

  /** Whether this process stays alive for it; true at first. */
  keepAlive(on: boolean): void {
    const {_socket: connection} = this.#socket as unknown as {readonly _socket?: {ref(): void; unref(): void}};
    if (on) connection?.ref();
    else connection?.unref();
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: (error?: Error | null) => void): void {
    const message = Buffer.concat([Buffer.of(channels.stdin), chunk]);
    this.#socket.send(message, (error) => done(error ?? null));
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.terminate();
    done(error);
  }

  /** A connection that is cut off without a word is closed here. */
  #ping(): void {
    // While nothing is read, no answer is either.
    if (this.#socket.isPaused) return;
    if (!this.#isAnswering) return this.#socket.terminate();
    this.#isAnswering = false;
    this.#socket.ping();
  }

  #take(channel: number | undefined, bytes: Buffer): void {
    if (channel === channels.stdout && bytes.length > 0 && !this.push(bytes)) this.#socket.pause();
    if (channel === channels.stderr) this.said = `${this.said}${bytes.toString()}`.slice(-saidCharactersMax);
    if (channel === channels.status) this.#socket.close();
  }

  /** Closed once everything was read. */
  destroySoon(): void {
    if (this.readableEnded || this.readableLength === 0) this.destroy();
    else this.once('end', () => this.destroy());
  }
}
