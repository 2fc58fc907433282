// Connects with Node's own net, bypassing the SDK, as any program could.
import {connect} from 'node:net';
import {defineTool, ToolError, type ToolDefinition} from '@lumenflow/pack-sdk';

interface Posting {
  readonly host: string;
  readonly port: number;
  readonly text: string;
}

export const post: ToolDefinition<Posting, {readonly sent: number}> = defineTool({
  async run({host, port, text}) {
    return await new Promise((resolve, reject) => {
      const socket = connect({host, port, timeout: 5_000}, () => socket.end(text, () => resolve({sent: text.length})));
      socket.on('error', ({message}) => reject(new ToolError('NOT_SENT', `nothing was sent: ${message}`)));
      socket.on('timeout', () => socket.destroy(new Error('no answer')));
    });
  },
});
