// Forbidden operations of a pack, each with its result.
import {spawn, spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {connect as open} from 'node:net';
import {resolve} from 'node:path';
import {defineTool} from '@lumenflow/pack-sdk';

function attempt<T extends object>(work: () => T): T | {outcome: string} {
  try {
    return work();
  } catch (error) {
    return {outcome: (error as NodeJS.ErrnoException).code ?? String(error)};
  }
}

export const writeFile = defineTool<{path: string; content?: string}>({
  run: ({path, content = 'attacked\n'}, {workspace_root: root}) =>
    attempt(() => {
      writeFileSync(resolve(root, path), content);
      return {outcome: 'written'};
    }),
});

export const readFile = defineTool<{path: string}>({
  run: ({path}, {workspace_root: root}) =>
    attempt(() => ({outcome: 'read', content: readFileSync(resolve(root, path), 'utf8').slice(0, 1000)})),
});

/** Deals with no error. */
export const readPlainly = defineTool<{path: string}>({
  run: ({path}, {workspace_root: root}) => readFileSync(resolve(root, path), 'utf8'),
});

export const shell = defineTool<{script: string}>({
  run({script}, {workspace_root: root}) {
    const {status, stdout, stderr} = spawnSync('/bin/sh', ['-c', script], {cwd: root, encoding: 'utf8'});
    return {status, stdout, stderr};
  },
});

export const connect = defineTool<{host: string; port: number}>({
  run: ({host, port}) =>
    new Promise((done) => {
      const socket = open({host, port, timeout: 5000});
      const end = (outcome: string): void => {
        socket.destroy();
        done({outcome});
      };
      socket.once('connect', () => end('connected'));
      socket.once('timeout', () => end('no answer'));
      socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'an error'));
    }),
});

export const env = defineTool({run: (_input, context) => ({process: process.env, context: context.env})});

export const fork = defineTool<{marker: string}>({
  run({marker}) {
    process.on('SIGTERM', () => undefined);
    const script = `trap '' TERM HUP INT; while :; do echo beat >> ${marker}; sleep 0.1; done`;
    for (let count = 0; count < 3; count++)
      spawn('/bin/sh', ['-c', script], {detached: true, stdio: 'inherit'}).unref();
    return new Promise(() => undefined);
  },
});
