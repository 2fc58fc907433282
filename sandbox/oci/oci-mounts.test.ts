import {once} from 'node:events';
import {mkdtempSync, realpathSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {expect, test} from 'vitest';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {ociMounts} from './oci-mounts.ts';

test('a socket of the host is hidden by a mount, except where a separate kernel refuses it', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'oci-mounts-')));
  const [socket, file] = [join(folder, 'host.sock'), join(folder, '.env')];
  writeFileSync(file, 'secret');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  const hidden = (hasOwnKernel: boolean): readonly string[] =>
    ociMounts({
      profile: {
        ...narrowestProfile(),
        writable_bind_mounts: [{source: folder, target: folder}],
        deny_overlays: [socket, file].map((path) => ({path, kind: 'file'})),
      },
      cwd: folder,
      systemPaths: [],
      ownFiles: {},
      hasOwnKernel,
      emptyDirectory: () => '/empty',
      hiddenFile: '/hidden',
    }).flatMap(({source, destination}) => (source === '/hidden' ? destination : []));
  expect(hidden(false).toSorted()).toEqual([file, socket].toSorted());
  expect(hidden(true)).toEqual([file]);
  server.close();
  rmSync(folder, {recursive: true});
});
