// Files by the C library: what it does with them, and what the host is asked for.
import {spawnSync} from 'node:child_process';
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import type {ToolOutput, WireMessage, WireRequest} from '@lumenflow/schemas';
import {createWasmBench, type WasmBench} from '../testing/wasm-bench.fixture.ts';
import type {Call} from '../testing/sandbox-bench.fixture.ts';

const hasClang = spawnSync('clang', ['--version']).status === 0;
const needed = 'apt-get install clang lld wasi-libc libclang-rt-dev-wasm32';

function isDirectoryOf(files: ReadonlyMap<string, string>, path: string): boolean {
  return path === '.' || [...files.keys()].some((name) => name.startsWith(`${path}/`));
}

/** The files of a host, of which everything but `private/` is granted. */
function hostFiles(files: Map<string, string>) {
  const asked: string[] = [];
  const answer = ({id, method, params}: WireRequest): WireMessage => {
    const path = String(params['path']).replace(/^\.\//u, '');
    asked.push(`${method} ${path}`);
    const refuse = (errorCode: string): WireMessage => ({
      type: 'response',
      id,
      error: {code: errorCode, message: path},
    });
    if (path.startsWith('private') || path.includes('..')) return refuse('SCOPE_DENIED');
    const content = files.get(path);
    const isDirectory = isDirectoryOf(files, path);
    const exists = content !== undefined || isDirectory;
    const give = (value: unknown): WireMessage => ({type: 'response', id, value});
    if (method === 'fs_stat') {
      if (!exists) return give({});
      return give({stat: {kind: isDirectory ? 'directory' : 'file', size: content?.length ?? 0, mtime_ms: 1000}});
    }
    if (method === 'fs_list') return give({entries: [...files.keys()].map((name) => ({name, kind: 'file'}))});
    if (method === 'fs_write') {
      if (params['exclusive'] === true && exists) return refuse('EXISTS');
      files.set(path, Buffer.from(String(params['content_base64']), 'base64').toString());
      return give({});
    }
    if (content === undefined) return refuse('NOT_FOUND');
    if (method === 'fs_read') return give({content_base64: Buffer.from(content).toString('base64')});
    files.delete(path);
    return give({});
  };
  return {asked, answer};
}

describe.skipIf(!hasClang)(`files of a module (${needed})`, () => {
  let bench: WasmBench;
  beforeAll(async () => (bench = await createWasmBench()));
  afterAll(() => bench.remove());

  async function runC(
    statements: string,
    files: Readonly<Record<string, string>> = {},
    call: Call = {},
  ): Promise<{output: ToolOutput; files: ReadonlyMap<string, string>; asked: readonly string[]}> {
    const [source, target] = [join(bench.folder, 'tool.c'), join(bench.folder, 'tool.wasm')];
    const top = ['errno', 'dirent', 'fcntl', 'stdint', 'stdio', 'time', 'unistd', 'sys/stat', 'wasi/api'].map(
      (name) => `#include <${name}.h>\n`,
    );
    writeFileSync(
      source,
      `${top.join('')}#include "lumenflow.h"
      static char out[4096];
      #define SAY(...) (snprintf(out + strlen(out), sizeof out - strlen(out), __VA_ARGS__))
      LF_EXPORT("run") int run(void) { SAY("\\""); ${statements} SAY("\\""); lf_output(out); return 0; }`,
    );
    const header = join(import.meta.dirname, '../../pack-sdk/wasm');
    const options = ['--target=wasm32-wasi', '-mexec-model=reactor', '-O1', '-I', header, '-o', target, source];
    const compiled = spawnSync('clang', options, {encoding: 'utf8'});
    if (compiled.status !== 0) throw new Error(compiled.stderr);
    const kept = new Map(Object.entries(files));
    const {answer, asked} = hostFiles(kept);
    const {output} = await bench.run(bench.module(readFileSync(target)), {
      ...call,
      request: {
        onMessage: (message, reply) => void (message.type === 'request' && reply(answer(message))),
      },
    });
    return {output, files: kept, asked};
  }

  test('are read, sought, written, appended and removed', async () => {
    const {output, files} = await runC(
      `char text[64] = {0};
       FILE *f = fopen("a.txt", "r"); fseek(f, 4, SEEK_SET); fread(text, 1, 3, f); fclose(f); SAY("%s ", text);
       f = fopen("dir/b.txt", "w"); fputs("new", f); fclose(f);
       f = fopen("a.txt", "a"); fputs(" four", f); fclose(f);
       f = fopen("c.txt", "r+"); fseek(f, 1, SEEK_SET); fputc('X', f); fclose(f);
       SAY("%d", unlink("d.txt"));`,
      {'a.txt': 'one two three', 'c.txt': 'abc', 'd.txt': ''},
    );
    expect(output).toEqual({success: true, data: 'two 0'});
    expect(Object.fromEntries(files)).toEqual({'a.txt': 'one two three four', 'dir/b.txt': 'new', 'c.txt': 'aXc'});
  });

  test('are listed and measured', async () => {
    const {output} = await runC(
      `DIR *d = opendir("/"); for (struct dirent *e = readdir(d); e; e = readdir(d)) SAY("%s ", e->d_name); closedir(d);
       struct stat s; stat("b.txt", &s); SAY("%d %d", (int)s.st_size, (int)s.st_mtime);`,
      {'a.txt': '', 'b.txt': 'four'},
    );
    expect(output.data).toBe('a.txt b.txt 4 1');
  });

  test('outside of the grant cannot be opened, whatever the path', async () => {
    const {output, asked} = await runC(
      `const char *paths[] = {"private/key", "/private/key", "../outside", "x/../../outside"};
       for (int i = 0; i < 4; i++) { SAY("%d", fopen(paths[i], "r") == 0); SAY("%d ", errno == ENOTCAPABLE); }
       SAY("%d", fopen("private/new", "w") == 0);`,
    );
    expect(output.data).toMatch(/^(1[01] ){4}1$/u);
    expect(asked.every((request) => /^fs_(stat|write) /u.test(request))).toBe(true);
  });

  test('that exist are not replaced by an exclusive open', async () => {
    const {output, files} = await runC(
      `SAY("%d %d", open("a.txt", O_CREAT | O_EXCL | O_WRONLY) < 0, errno == EEXIST); close(open("b.txt", O_CREAT | O_EXCL | O_WRONLY));`,
      {'a.txt': 'kept'},
    );
    expect(output.data).toBe('1 1');
    expect(Object.fromEntries(files)).toEqual({'a.txt': 'kept', 'b.txt': ''});
  });

  test('that may not be written are refused as such, and not for being unreadable', async () => {
    const {output, asked} = await runC(
      `SAY("%d ", open("private/a", O_CREAT | O_WRONLY) < 0 && errno == ENOTCAPABLE);
       SAY("%d ", fopen("private/b", "a") == 0); SAY("%d", open("private/c", O_CREAT | O_EXCL | O_RDWR) < 0);`,
    );
    expect(output.data).toBe('1 1 1');
    expect(asked).toEqual(['fs_write private/a', 'fs_write private/b', 'fs_write private/c']);
  });

  test('named in bytes that are not UTF-8 do not exist for the host, and are not another file', async () => {
    const {output, asked} = await runC(
      `struct stat s; SAY("%d ", fopen("a\\xff", "r") == 0 && errno == EILSEQ); SAY("%d ", open("a\\xff", O_CREAT | O_WRONLY) < 0 && errno == EILSEQ);
       SAY("%d %d", stat("a\\xff", &s) < 0 && errno == EILSEQ, unlink("a\\xff") < 0 && errno == EILSEQ);`,
      {'a\ufffd': 'another'},
    );
    expect(output.data).toBe('1 1 1 1');
    expect(asked).toEqual([]);
  });

  test('an invalid seek fails, and the position remains', async () => {
    const {output} = await runC(
      `int f = open("a.txt", O_RDONLY); lseek(f, 2, SEEK_SET); __wasi_filesize_t at;
       SAY("%d ", __wasi_fd_seek(f, 0, 9, &at) == __WASI_ERRNO_INVAL);
       SAY("%d ", __wasi_fd_seek(f, INT64_MAX, 1, &at) == __WASI_ERRNO_INVAL);
       SAY("%d ", __wasi_fd_seek(f, -3, 1, &at) == __WASI_ERRNO_INVAL); SAY("%d", (int)lseek(f, 0, SEEK_CUR));`,
      {'a.txt': 'abcdef'},
    );
    expect(output.data).toBe('1 1 1 2');
  });

  test('left open are written at the end', async () => {
    const {files} = await runC(`int f = open("a.txt", O_CREAT | O_WRONLY); write(f, "left", 4);`);
    expect(files.get('a.txt')).toBe('left');
  });

  test('do not count against the memory of the host beyond the limit', async () => {
    const {output} = await runC(
      `int failed = 0; for (int i = 0; i < 20; i++) { char name[9]; snprintf(name, 9, "f%d", i); int f = open(name, O_CREAT | O_WRONLY);
       failed += ftruncate(f, 4 << 20) < 0; } SAY("%d", failed);`,
      {},
      {limits: {memory_bytes: 32 * 1024 * 1024, file_size_bytes: 8 * 1024 * 1024}},
    );
    expect(output.data).toBe('12');
  });

  test('time, sleep and random numbers work', async () => {
    const {output} = await runC(
      `struct timespec t = {0, 20000000}; struct timespec a, b; clock_gettime(CLOCK_MONOTONIC, &a); nanosleep(&t, 0);
       clock_gettime(CLOCK_MONOTONIC, &b); char r[8] = {0}; getentropy(r, 8);
       SAY("%d %d %d", (b.tv_sec - a.tv_sec) * 1000 + (b.tv_nsec - a.tv_nsec) / 1000000 >= 19, time(0) > 1600000000, r[0] || r[1] || r[2]);`,
    );
    expect(output.data).toBe('1 1 1');
  });
});
