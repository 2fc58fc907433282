// ctx.fs: every operation is done by the host, which knows the exact grant.
import type {RequestClient} from './request-client.ts';
import type {DirectoryEntry, FileStat, ScopedFileSystem} from './tool-context.ts';

export function createScopedFsClient(client: Pick<RequestClient, 'request'>): ScopedFileSystem {
  async function read(path: string): Promise<Uint8Array> {
    const {content_base64} = (await client.request('fs_read', {path})) as {content_base64: string};
    return Buffer.from(content_base64, 'base64');
  }

  return {
    read,
    async readText(path) {
      return Buffer.from(await read(path)).toString('utf8');
    },
    async write(path, content, options = {}) {
      const content_base64 = Buffer.from(content as Uint8Array).toString('base64');
      await client.request('fs_write', {path, content_base64, exclusive: options.exclusive ?? false});
    },
    async list(path) {
      const {entries} = (await client.request('fs_list', {path})) as {entries: readonly DirectoryEntry[]};
      return entries;
    },
    async stat(path) {
      const {stat} = (await client.request('fs_stat', {path})) as {stat?: FileStat};
      return stat;
    },
    async remove(path) {
      await client.request('fs_remove', {path});
    },
  };
}
