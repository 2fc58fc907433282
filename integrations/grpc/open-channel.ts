// A connection to one server. It is dialled at the addresses that the call's network allows, and nowhere else.
import {Client, credentials, Metadata, status, type ClientOptions, type ServiceError} from '@grpc/grpc-js';
import type {ServiceNetwork} from '@lumenflow/kernel/adapters';
import {isIPv4} from 'node:net';
import {messageWeight} from './message-weight.ts';
import type {protobuf} from './protobuf.ts';

export interface Channel {
  /** The messages of the response. Rejects with ServiceError. */
  call(request: ChannelCall): Promise<readonly unknown[]>;
  close(): void;
}

export interface ChannelCall {
  readonly path: string;
  readonly request: protobuf.Type;
  readonly response: protobuf.Type;
  readonly messages: readonly object[];
  readonly metadata: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  onMessage(message: unknown): void;
}

/** Why no connection was opened: the network of the call does not allow it, or the name does not resolve. */
export class ChannelRefused extends Error {}

const bytesMax = 8 * 1024 * 1024;
/** Of all messages of a response together. */
const valuesMax = 1_000_000;
/** What a message costs besides its content: a stream can have millions of empty ones. */
const messageBytes = 64;

export async function openChannel(server: string, network: ServiceNetwork): Promise<Channel> {
  const {protocol, hostname, port, host} = new URL(server);
  const isSecure = protocol === 'https:';
  const number = port === '' ? (isSecure ? 443 : 80) : Number(port);
  const target = await network.resolve(hostname, number);
  if (!target.ok) throw new ChannelRefused(target.problem);
  const [address = ''] = target.value;
  const options: ClientOptions = {
    'grpc.default_authority': host,
    ...(isSecure && {'grpc.ssl_target_name_override': hostname}),
    'grpc.enable_http_proxy': 0,
    'grpc.enable_retries': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.max_receive_message_length': bytesMax,
  };
  const authority = isIPv4(address) ? `ipv4:${address}:${number}` : `ipv6:[${address}]:${number}`;
  const client = new Client(authority, isSecure ? credentials.createSsl() : credentials.createInsecure(), options);
  return {call: (request) => exchange(client, request), close: () => client.close()};
}

async function exchange(client: Client, call: ChannelCall): Promise<readonly unknown[]> {
  const {path, request, response, messages, metadata, timeoutMs, signal, onMessage} = call;
  signal.throwIfAborted();
  const sent = new Metadata();
  for (const [key, value] of Object.entries(metadata)) sent.set(key, value);
  const encode = (message: object): Buffer => Buffer.from(request.encode(request.fromObject(message)).finish());
  let values = 0;
  const decode = (bytes: Buffer): unknown => {
    values += messageWeight(bytes, response, valuesMax - values);
    return values > valuesMax ? tooLarge : response.toObject(response.decode(bytes), plain);
  };
  // One message is a stream of one: the frames are the same for all kinds of methods.
  const stream = client.makeBidiStreamRequest(path, encode, decode, sent, {deadline: Date.now() + timeoutMs});
  const cancel = (): void => stream.cancel();
  signal.addEventListener('abort', cancel, {once: true});
  const received: unknown[] = [];
  let size = 0;
  try {
    for (const message of messages) stream.write(message);
    stream.end();
    await new Promise<void>((resolve, reject) => {
      stream.on('data', (message: unknown) => {
        size += messageBytes + JSON.stringify(message).length;
        if (message === tooLarge || size > bytesMax) {
          stream.cancel();
          reject(new TooLarge());
        } else {
          received.push(message);
          onMessage(message);
        }
      });
      stream.on('error', (error: ServiceError) => reject(isOversized(error) ? new TooLarge() : error));
      stream.on('end', resolve);
    });
    return received;
  } finally {
    signal.removeEventListener('abort', cancel);
  }
}

const tooLarge = {};

/** The library refuses a larger message with the status that a busy service has. */
function isOversized({code, details}: ServiceError): boolean {
  return code === status.RESOURCE_EXHAUSTED && details.startsWith('Received message larger than max');
}

export class TooLarge extends Error {
  constructor() {
    super(`the response is larger than ${bytesMax} bytes or ${valuesMax} values: ask for less`);
  }
}

/** As JSON: 64-bit integers and enums as texts, bytes in base64, every field present. */
const plain: protobuf.IConversionOptions = {longs: String, enums: String, bytes: String, defaults: true, json: true};
