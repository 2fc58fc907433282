// Opens a connection as any program would, without the SDK.
import {connect as open} from 'node:net';
import {defineTool} from '@lumenflow/pack-sdk';

export const connect = defineTool<{host: string; port: number}, {outcome: string}>({
  run: ({host, port}) =>
    new Promise((resolve) => {
      const socket = open({host, port, timeout: 5_000});
      const end = (outcome: string): void => {
        socket.destroy();
        resolve({outcome});
      };
      socket.once('connect', () => end('connected'));
      socket.once('timeout', () => end('no answer'));
      socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'an error'));
    }),
});
