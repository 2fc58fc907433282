// Loaded into a Node that runs under the stand-in for sandbox-exec: a few of its operations ask the evaluator first, as the
// kernel would. It cannot stop a program that tries to escape; it shows that a call works under its profile.
import fs from 'node:fs';
import {createRequire, syncBuiltinESMExports} from 'node:module';
import net from 'node:net';
import {loadSbpl} from '../sbpl/load-sbpl.fixture.ts';
import type {Query} from '../sbpl/sbpl-filter.fixture.ts';

const decide = loadSbpl(fs.readFileSync(process.env['STAND_IN_PROFILE'] ?? '', 'utf8'));
const require = createRequire('/');

function ask(query: Query): void {
  if (decide(query) === 'deny') throw Object.assign(new Error(`EPERM: ${JSON.stringify(query)}`), {code: 'EPERM'});
}

/** As macOS resolves it; the folders of a test lie in /tmp. */
function spelled(path: unknown): string {
  let real = String(path);
  try {
    real = fs.realpathSync.native(real);
  } catch {
    // The file does not exist yet.
  }
  return real.replace(/^\/(?=tmp\/)/, '/private/');
}

type Operation = (path: unknown, ...rest: readonly unknown[]) => unknown;

function guard(name: 'readFileSync' | 'writeFileSync' | 'readdirSync' | 'unlinkSync', operation: string): void {
  const original = fs[name] as Operation;
  const guarded: Operation = (path, ...rest) => {
    // A descriptor was judged when it was opened.
    if (typeof path !== 'number') ask({operation, path: spelled(path)});
    return original(path, ...rest);
  };
  Object.assign(require('node:fs') as object, {[name]: guarded});
}

guard('readFileSync', 'file-read-data');
guard('readdirSync', 'file-read-data');
guard('writeFileSync', 'file-write-data');
guard('unlinkSync', 'file-write-unlink');

const connect = net.Socket.prototype.connect as (...args: unknown[]) => net.Socket;
net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]): net.Socket {
  const [options] = [args[0]].flat(2) as readonly {readonly host?: string; readonly port?: number}[];
  const remote = {protocol: 'tcp', host: options?.host ?? 'localhost', port: Number(options?.port)} as const;
  if (decide({operation: 'network-outbound', remote}) === 'allow') return connect.apply(this, args);
  return this.destroy(Object.assign(new Error('EPERM'), {code: 'EPERM'}));
};
syncBuiltinESMExports();
