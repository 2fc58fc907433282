// Plain sockets, as any program would open them.
import {createSocket} from 'node:dgram';
import {connect, type NetConnectOpts} from 'node:net';

const timeoutMs = 3_000;

/** What came back, or how it ended. */
export async function talk(where: NetConnectOpts, sent: string): Promise<string> {
  return await new Promise((resolve) => {
    const socket = connect(where, () => socket.write(sent));
    let got = '';
    socket.setTimeout(timeoutMs, () => socket.destroy(new Error('no answer')));
    socket.on('data', (data) => (got += data.toString()));
    socket.on('error', (error) => resolve(`${got} ${error.message}`));
    socket.on('close', () => resolve(got));
  });
}

export async function sendDatagram(host: string, port: number, text: string): Promise<string> {
  return await new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (error?: Error | null): void => {
      socket.close();
      resolve(error?.message ?? 'sent');
    };
    socket.on('error', end);
    socket.send(text, port, host, (error) => setTimeout(end, 50, error));
  });
}
