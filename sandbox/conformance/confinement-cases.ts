// What a call cannot reach.
import assert from 'node:assert/strict';
import {once} from 'node:events';
import {readdirSync, readFileSync} from 'node:fs';
import {createServer, type AddressInfo} from 'node:net';
import {join} from 'node:path';
import type {BackendCase} from './backend-case.ts';

const code = `const code = (attempt) => { try { attempt(); return 'ok'; } catch (error) { return error.code ?? String(error); } };`;
/** The error code of a connection, `connected`, or `silent` after a second. */
const connecting = `const connecting = (port, host) => new Promise((done) => {
  const socket = net.connect({port, host, timeout: 1000});
  socket.on('connect', () => done('connected')).on('error', ({code}) => done(code)).on('timeout', () => done('silent'));
});`;

export const confinementCases: readonly BackendCase[] = [
  {
    name: 'what is granted can be read and written, and nothing else',
    below: "a#b?c%41d%2Fe%f:g h-é日本'i$`*[j]{k}=l",
    async run({call, put, workspace}) {
      put('src/a.ts', 'text');
      put('out/b.txt', 'old');
      put('private/c.txt', 'private');
      const {output} = await call(
        `${code} const root = context.workspace_root;
         return [fs.readFileSync(root + '/src/a.ts', 'utf8'), code(() => fs.writeFileSync(root + '/src/a.ts', 'x')),
           code(() => fs.writeFileSync(root + '/out/b.txt', 'new')), code(() => fs.readFileSync(root + '/private/c.txt'))];`,
        {read: ['src/**'], write: ['out/**']},
      );
      assert.ok(output.success, JSON.stringify(output));
      const [text, modified, written, hidden] = output.data as readonly string[];
      assert.deepEqual([text, written], ['text', 'ok']);
      assert.notEqual(modified, 'ok');
      assert.notEqual(hidden, 'ok');
      assert.equal(readFileSync(join(workspace, 'src/a.ts'), 'utf8'), 'text');
      assert.equal(readFileSync(join(workspace, 'out/b.txt'), 'utf8'), 'new');
    },
  },
  {
    name: 'a folder can be written inside another that can only be read',
    async run({call, put, workspace}) {
      put('a.txt', 'text');
      put('deep/out/b.txt', 'old');
      const {output} = await call(
        `${code} const path = (name) => context.workspace_root + '/' + name;
         return [fs.readFileSync(path('a.txt'), 'utf8'), code(() => fs.writeFileSync(path('deep/c.txt'), 'x')),
           code(() => fs.appendFileSync(path('deep/out/b.txt'), ', new')), code(() => fs.writeFileSync(path('deep/out/d.txt'), 'd'))];`,
        {read: ['**'], write: ['deep/out/**']},
      );
      assert.ok(output.success, JSON.stringify(output));
      const [text, beside, ...written] = output.data as readonly string[];
      assert.deepEqual([text, ...written], ['text', 'ok', 'ok']);
      assert.notEqual(beside, 'ok');
      assert.deepEqual(readdirSync(join(workspace, 'deep')), ['out']);
      assert.equal(readFileSync(join(workspace, 'deep/out/b.txt'), 'utf8'), 'old, new');
      assert.equal(readFileSync(join(workspace, 'deep/out/d.txt'), 'utf8'), 'd');
    },
  },
  {
    name: 'files with secrets are hidden inside every grant',
    async run({call, put}) {
      put('.env', 'SECRET=1');
      put('deep/.env', 'SECRET=2');
      const {output} = await call(
        `${code} const read = (path) => { try { return fs.readFileSync(context.workspace_root + path, 'utf8'); } catch { return ''; } };
         return [read('/.env'), read('/deep/.env')].join('');`,
        {read: ['**'], write: ['**']},
      );
      assert.deepEqual(output, {success: true, data: ''});
    },
  },
  {
    name: 'the system can be read, and not written',
    async run({call}) {
      const {output} = await call(
        `${code} return ['/lumenflow', '/usr/lumenflow', '/etc/lumenflow'].map((path) => code(() => fs.writeFileSync(path, '')));`,
      );
      assert.ok(Array.isArray(output.data) && !output.data.includes('ok'), JSON.stringify(output));
    },
  },
  {
    name: 'the call has no capabilities and cannot gain any',
    async run({call}) {
      const {output} = await call(
        `const sets = Object.fromEntries([...fs.readFileSync('/proc/self/status', 'utf8').matchAll(/^(Cap\\w+|NoNewPrivs):\\s+(\\S+)$/gm)].map(([, key, value]) => [key, value]));
         // Not every kernel lists it.
         sets.NoNewPrivs ??= /no_new_privs: (\\d)/.exec((await context.exec('setpriv', ['--dump'])).stdout)?.[1];
         return sets;`,
      );
      const {NoNewPrivs, ...sets} = output.data as Record<string, string>;
      assert.equal(NoNewPrivs, '1');
      for (const [name, value] of Object.entries(sets)) assert.match(value, /^0+$/, name);
    },
  },
  {
    name: 'processes of the host cannot be seen',
    async run({call}) {
      const {output} = await call(
        `return fs.readdirSync('/proc').filter((name) => /^\\d+$/.test(name)).map((pid) => { try { return fs.readFileSync('/proc/' + pid + '/environ', 'latin1'); } catch { return ''; } }).join('').includes('LUMENFLOW_CONFORMANCE_HOST');`,
      );
      assert.deepEqual(output, {success: true, data: false});
    },
  },
  {
    name: 'limits of open files and of file size bind',
    async run({call}) {
      const {output} = await call(
        `${code} process.on('SIGXFSZ', () => {}); const path = context.workspace_root + '/out/large';
         return [code(() => { for (let i = 0; i < 200; i += 1) fs.openSync(path, 'w'); }), code(() => fs.writeFileSync(path, Buffer.alloc(8192)))];`,
        {write: ['out/**'], limits: {open_files: 100, file_size_bytes: 4096}},
      );
      const [opened, wrote] = output.data as readonly string[];
      assert.equal(opened, 'EMFILE');
      assert.notEqual(wrote, 'ok');
    },
  },
  {
    name: 'without a network nothing answers, on the host neither',
    async run({call}) {
      const server = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const {port} = server.address() as AddressInfo;
      try {
        const {output} = await call(
          `${connecting} return [await connecting(${port}, '127.0.0.1'), await connecting(443, '192.0.2.1')];`,
        );
        assert.ok(Array.isArray(output.data) && !output.data.includes('connected'), JSON.stringify(output));
      } finally {
        server.close();
      }
    },
  },
  {
    name: 'an allowlist refuses what it does not list, at once',
    async run({call}) {
      const {output, enforcement} = await call(
        `${connecting} const {promises} = await import('node:dns');
         return [await connecting(443, '192.0.2.1'), await promises.lookup('unlisted.example').then(() => 'found', ({code}) => code)];`,
        {allow: ['listed.example:443']},
      );
      assert.ok(Array.isArray(output.data), JSON.stringify(output));
      const [refused, name] = output.data as readonly string[];
      assert.equal(refused, 'ECONNREFUSED');
      assert.notEqual(name, 'found');
      assert.ok((enforcement.denials ?? []).length > 0);
    },
  },
];
