// Firecracker's API: HTTP over the socket of one machine.
import {request} from 'node:http';
import {connect} from 'node:net';
import {setTimeout as delay} from 'node:timers/promises';
import {wholeResponse} from '../http/whole-response.ts';

export interface ApiRequest {
  readonly path: string;
  readonly body: object;
}

const answerMs = 30_000;
const pollMs = 5;
const answerBytesMax = 1024 ** 2;

/** Returns what is wrong with the request, if something is. Rejects if nothing answers. */
export async function putToApi(socketPath: string, {path, body}: ApiRequest): Promise<string | undefined> {
  const sent = request({
    socketPath,
    method: 'PUT',
    path,
    headers: {'content-type': 'application/json', accept: 'application/json'},
    signal: AbortSignal.timeout(answerMs),
    agent: false,
  });
  // Firecracker reads no chunked bodies: `end` sends its length.
  sent.end(JSON.stringify(body));
  const {
    head: {statusCode},
    body: answer,
  } = await wholeResponse(sent, answerBytesMax);
  return statusCode === 204 ? undefined : faultIn(answer.toString(), statusCode);
}

function faultIn(answer: string, status: number | undefined): string {
  return /"fault_message":\s*"((?:[^"\\]|\\.)*)"/.exec(answer)?.[1] ?? `it answered with status ${status}`;
}

/** Resolves once the socket accepts connections, or once it cannot any more. */
export async function apiListens(socketPath: string, isOver: () => boolean): Promise<boolean> {
  while (!isOver()) {
    if (await accepts(socketPath)) return true;
    await delay(pollMs);
  }
  return false;
}

async function accepts(socketPath: string): Promise<boolean> {
  const socket = connect(socketPath);
  return (await new Promise((resolve) => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  }).finally(() => socket.destroy())) as boolean;
}
