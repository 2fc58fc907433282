// ctx.state: every operation is done by the host, which keeps the pack's texts for all processes of the workspace.
import type {RequestClient} from './request-client.ts';
import type {PackState, StateLines, StateText, StateVersion} from './tool-context.ts';

export function createStateClient({request}: Pick<RequestClient, 'request'>, name: string): PackState {
  return {
    async read() {
      return (await request('state_read', {name})) as StateText | undefined;
    },
    async write(text, options = {}) {
      return (await request('state_write', {name, text, ...options})) as StateVersion;
    },
    async lines({from = 0} = {}) {
      const lines: string[] = [];
      // The size of the part of a log that one message contains.
      for (let start = from; ;) {
        const chunk = (await request('state_lines', {name, from: start})) as StateLines & {readonly more: boolean};
        lines.push(...chunk.lines);
        if (!chunk.more) return {lines, version: chunk.version, size: chunk.size};
        start = chunk.size;
      }
    },
    async append(lines, options = {}) {
      return (await request('state_append', {name, lines, ...options})) as StateVersion;
    },
    async remove(options = {}) {
      await request('state_remove', {name, ...options});
    },
  };
}

export async function listStateNames(
  client: Pick<RequestClient, 'request'>,
  prefix: string,
): Promise<readonly string[]> {
  return (await client.request('state_names', {prefix})) as readonly string[];
}
