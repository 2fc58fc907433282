// The HTTP server of a witness: `POST /add-checkpoint` of C2SP tlog-witness. Anyone can reach it, so requests are small and few at a time.
import {createProcessRegistry, WorkspaceLock} from '@lumenflow/kernel/node';
import {stopListening} from '@lumenflow/sandbox';
import type {IncomingMessage, ServerResponse} from 'node:http';
import type {AddressInfo} from 'node:net';
import {createBoundedServer, serverLimits} from '../http/bounded-server.ts';
import {cosignCheckpoint, type CosignAnswer} from './cosign-checkpoint.ts';
import type {WitnessFolder} from './witness-folder.ts';

/** A proof of 63 hashes has 2.8 KB. The rest is for a checkpoint with many signatures. */
const bodyBytesMax = 64 * 1024;

/** For requests that have arrived before the witness closes. */
const replyMs = 5_000;

export interface WitnessServerOptions {
  readonly folder: WitnessFolder;
  readonly host: string;
  /** 0: a free port. */
  readonly port: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Called after each answer. */
  readonly onAnswer?: (answer: CosignAnswer) => void;
  /** Called with failures, of which clients see only that there was one. */
  readonly onError: (error: unknown) => void;
}

export interface WitnessServer {
  /** For example `http://127.0.0.1:7080`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Rejects with the system's error if the server cannot listen on the address. */
export async function startWitnessServer(options: WitnessServerOptions): Promise<WitnessServer> {
  const {folder, host, port, onError} = options;
  const lock = new WorkspaceLock({folder: folder.lockFolder, processes: createProcessRegistry()});
  const server = createBoundedServer(
    (request, response) => {
      answer(request, response, {...options, lock}).catch((error: unknown) => {
        onError(error);
        if (response.headersSent) response.destroy();
        else end(response, 500, 'the witness failed');
      });
    },
    {...serverLimits, requestTimeout: 10_000, connectionsMax: 200},
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${address.port}`,
    async close() {
      const {closed} = await stopListening(server);
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), replyMs);
      await closed;
      clearTimeout(late);
      lock.close();
    },
  };
}

interface Answering extends WitnessServerOptions {
  readonly lock: WorkspaceLock;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  {folder, lock, now, onAnswer}: Answering,
): Promise<void> {
  const path = (request.url ?? '').split('?', 1)[0] ?? '';
  if (!path.endsWith('/add-checkpoint')) return end(response, 404, 'this server has /add-checkpoint only');
  if (request.method !== 'POST') {
    response.setHeader('allow', 'POST');
    return end(response, 405, 'use POST');
  }
  const body = await readBody(request);
  if (body === undefined) return end(response, 413, `the body is longer than ${bodyBytesMax} bytes`);
  const answered = await cosignCheckpoint(body, {folder, lock, now});
  response.writeHead(answered.status, {'content-type': answered.contentType});
  response.end(answered.body);
  onAnswer?.(answered);
}

function end(response: ServerResponse, status: number, reason: string): void {
  // What the client still sends is not read.
  response.writeHead(status, {'content-type': 'text/plain; charset=utf-8', connection: 'close'});
  response.end(`${reason}\n`);
}

/** Undefined if it is too long. */
async function readBody(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({destroyOnReturn: false})) {
    length += (chunk as Buffer).length;
    if (length > bodyBytesMax) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
