// The program that opens the sockets of a network namespace from inside and hands them out of it, to the host.
// It ends as soon as all are handed over.
import {createSocket, type Socket} from 'node:dgram';
import {createServer, type Server} from 'node:net';
import type {HolderMessage, HolderOrders} from './holder-messages.ts';
import {errorCode} from '../../error-code.ts';

process.once('message', (orders: HolderOrders) => void open(orders));
// The host has exited, or has everything it needs.
process.once('disconnect', () => process.exit(0));

async function open({listeners, dnsAddresses}: HolderOrders): Promise<void> {
  try {
    for (const listener of listeners) await openTcp(listener);
    for (const address of dnsAddresses) await openDns(address);
    await send({type: 'ready'});
    process.exit(0);
  } catch (error) {
    await send({type: 'failed', problem: error instanceof Error ? error.message : String(error)});
  }
}

async function openTcp({address, port}: HolderOrders['listeners'][number]): Promise<void> {
  const server = createServer();
  const opened = new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({host: address, port, ipv6Only: address.includes(':'), backlog: 1024}, resolve);
  });
  if (!(await succeeds(opened, address))) return;
  await send({type: 'tcp'}, server);
  server.close();
}

async function openDns(address: string): Promise<void> {
  const socket = createSocket(address.includes(':') ? 'udp6' : 'udp4');
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(53, address, resolve);
  });
  if (!(await succeeds(opened, address))) return;
  await send({type: 'dns'}, socket);
  socket.close();
}

/** A machine without IPv6 cannot open these; any other failure is an error. */
async function succeeds(opened: Promise<void>, address: string): Promise<boolean> {
  try {
    await opened;
    return true;
  } catch (error) {
    const code = errorCode(error);
    if (address.includes(':') && (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')) {
      await send({type: 'no_ipv6'});
      return false;
    }
    throw error;
  }
}

function send(message: HolderMessage, handle?: Server | Socket): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send?.(message, handle, {}, (error) => (error === null ? resolve() : reject(error)));
  });
}
