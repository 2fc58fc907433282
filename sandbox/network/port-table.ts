// Finds the port that a client connected to before the packet filter redirected it. The client's own socket still has that port
// in the kernel's list for the namespace.
import {closeSync, openSync, read} from 'node:fs';
import {promisify} from 'node:util';
import {ipv6Bytes} from './ip-address.ts';

export interface PortTable {
  /** Undefined if the connection is no longer listed. */
  find(connection: {
    readonly localAddress: string;
    readonly remoteAddress: string;
    readonly remotePort: number;
  }): Promise<number | undefined>;
  close(): void;
}

const readAt = promisify(read);
const chunkBytes = 64 * 1024;
const chunksMax = 64;

/** `processId`: of a process in the namespace; it may end afterwards. Throws when there is none. */
export function openPortTable(processId: number): PortTable {
  const fds = ['tcp', 'tcp6'].map((name) => openSync(`/proc/${processId}/net/${name}`, 'r'));
  return {
    async find({localAddress, remoteAddress, remotePort}) {
      // The client's end: its address and port, and the address it connected to, with the port that we look for.
      for (const [index, toHex] of [ipv4Hex, ipv6Hex].entries()) {
        const [client, server] = [toHex(remoteAddress), toHex(localAddress)];
        const fd = fds[index];
        if (client === undefined || server === undefined || fd === undefined) continue;
        const from = `${client}:${hex(remotePort, 4)} ${server}:`;
        const table = await readWhole(fd);
        const at = table.indexOf(from);
        if (at >= 0) return Number.parseInt(table.slice(at + from.length, at + from.length + 4), 16);
      }
      return undefined;
    },
    close() {
      for (const fd of fds.splice(0)) closeSync(fd);
    },
  };
}

async function readWhole(fd: number): Promise<string> {
  let text = '';
  for (let chunk = 0; chunk < chunksMax; chunk += 1) {
    const {bytesRead, buffer} = await readAt(fd, Buffer.alloc(chunkBytes), 0, chunkBytes, text.length);
    if (bytesRead === 0) break;
    text += buffer.toString('latin1', 0, bytesRead);
  }
  return text;
}

function hex(value: number, digits: number): string {
  return value.toString(16).toUpperCase().padStart(digits, '0');
}

/** The kernel prints every four bytes as a number in machine order, which is little-endian. */
function ipv4Hex(address: string): string | undefined {
  const plain = address.replace(/^::ffff:/, '');
  if (plain.includes(':')) return undefined;
  return plain
    .split('.')
    .toReversed()
    .map((byte) => hex(Number(byte), 2))
    .join('');
}

function ipv6Hex(address: string): string | undefined {
  const bytes = ipv6Bytes(address.includes(':') ? address : `::ffff:${address}`);
  const words = [0, 4, 8, 12].map((at) => hex(bytes.readUInt32LE(at), 8));
  return words.join('');
}
