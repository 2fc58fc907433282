// Unmodified programs of npm in the real sandbox: through the CLI adapter they print and end, byte for byte, as in their own process
// there. Nothing is normalised, except that stack traces are left out, because their frames differ between processes.
import type {Session} from '@lumenflow/host';
import {join} from 'node:path';
import {afterAll, beforeAll, expect, test} from 'vitest';
import {copyPackage} from '../support/copy-package.ts';
import {makeHostWorkspace, must, type HostWorkspace} from '../support/host-workspace.ts';
import {opened} from '../support/opened.ts';

interface Program {
  /** Of which package. */
  readonly name: string;
  readonly bin: string;
  readonly runs: readonly {
    readonly args: readonly string[];
    readonly stdin?: string;
    readonly status?: number;
    readonly trace?: true;
  }[];
}

const big = 'lorem **ipsum** `dolor` sit amet\n\n'.repeat(20_000);
const code = 'function add(first, second) { return first + second }\nconsole.log(add(1, 2));\n';

const programs: readonly Program[] = [
  // CommonJS, plain argv, process.exit.
  {
    name: 'semver',
    bin: 'bin/semver.js',
    runs: [{args: ['1.2.3', '0.1.0']}, {args: ['-r', '>3', '1.0.0'], status: 1}, {args: []}, {args: ['--help']}],
  },
  // Reads its input through a stream.
  {
    name: 'json5',
    bin: 'lib/cli.js',
    runs: [
      {args: [], stdin: "{a: 'grüße'}"},
      {args: ['-v'], stdin: '{'},
      {args: ['--version']},
      {args: ['missing.json5'], trace: true},
    ],
  },
  // ES modules, argparse.
  {
    name: 'js-yaml',
    bin: 'bin/js-yaml.mjs',
    runs: [{args: ['a.yaml']}, {args: ['--version']}, {args: ['--help']}, {args: ['missing.yaml']}],
  },
  // ES modules, asynchronous, big output.
  {
    name: 'marked',
    bin: 'bin/marked.js',
    runs: [{args: [], stdin: '# hi'}, {args: ['--version']}, {args: [], stdin: big}, {args: ['-i', 'missing.md']}],
  },
  // Reads descriptor 0.
  {
    name: 'acorn',
    bin: 'bin/acorn',
    runs: [
      {args: ['--compact'], stdin: code},
      {args: ['code.js']},
      {args: [], stdin: 'var ;', status: 1},
      {args: ['--help']},
    ],
  },
  // Its own parser of arguments, files.
  {
    name: 'uglify-js',
    bin: 'bin/uglifyjs',
    runs: [
      {args: ['code.js', '-m', '-c']},
      {args: [], stdin: code},
      {args: ['--version']},
      {args: ['missing.js'], status: 1, trace: true},
    ],
  },
  // Commander, promises.
  {
    name: 'terser',
    bin: 'bin/terser',
    runs: [
      {args: ['code.js', '-c', '-m']},
      {args: [], stdin: code},
      {args: ['--version']},
      {args: ['--no-such'], status: 1},
    ],
  },
  // Yargs.
  {
    name: 'cowsay',
    bin: 'cli.js',
    runs: [
      {args: ['moo']},
      {args: [], stdin: 'from stdin'},
      {args: ['--help']},
      {args: ['-f', 'no-such', 'x'], trace: true},
    ],
  },
  // Meow, which is all ES modules.
  {
    name: 'strip-json-comments-cli',
    bin: 'cli.js',
    runs: [{args: ['code.json']}, {args: [], stdin: '{"a": 1 /* b */}'}, {args: ['--version']}, {args: ['--help']}],
  },
  // Minimist.
  {
    name: 'commonmark',
    bin: 'bin/commonmark',
    runs: [{args: ['notes.md']}, {args: ['--time', '--help']}, {args: ['-t', 'xml', 'notes.md']}],
  },
  {
    name: 'ejs',
    bin: 'bin/cli.js',
    runs: [
      {args: ['page.ejs', 'name=Ada']},
      {args: ['--version']},
      {args: ['--help']},
      {args: [], stdin: '<%= 1 + 1 %>'},
    ],
  },
  // Older CommonJS without an extension.
  {
    name: 'he',
    bin: 'bin/he',
    runs: [{args: ['--encode', 'a < ü']}, {args: ['--decode'], stdin: '&lt;&uuml;'}, {args: ['--version']}, {args: []}],
  },
  {
    name: 'mime',
    bin: 'bin/cli.js',
    runs: [{args: ['a.txt']}, {args: ['-r', 'text/html']}, {args: ['--version']}, {args: ['x.nope'], status: 1}],
  },
  {
    name: 'mkdirp',
    bin: 'dist/cjs/src/bin.js',
    runs: [{args: ['made/deep']}, {args: ['--version']}, {args: []}],
  },
  {
    name: 'uuid',
    bin: 'dist-node/bin/uuid',
    runs: [{args: ['v5', 'ada', 'DNS']}, {args: ['--help']}, {args: ['nope'], status: 1}],
  },
  // Keeps ES modules that CommonJS imports.
  {
    name: 'prettier',
    bin: 'bin/prettier.cjs',
    runs: [
      {args: ['--stdin-filepath', 'a.js'], stdin: code},
      {args: ['code.js']},
      {args: ['--check', 'code.js'], status: 1},
    ],
  },
  // Start children that inherit their streams.
  {
    name: 'cross-env',
    bin: 'dist/bin/cross-env.js',
    runs: [
      {args: ['A=1', 'node', '-e', 'console.log(process.env.A); console.error(2); process.exit(3)'], status: 3},
      {args: ['A=1', 'cat'], stdin: 'through a child'},
    ],
  },
];

let workspace: HostWorkspace;
let session: Session;
beforeAll(async () => {
  workspace = makeHostWorkspace({
    copied: {compare: join(import.meta.dirname, 'host/compare-pack')},
    pins: {compare: {trust: 'in_process'}},
    files: {
      'a.yaml': 'a: [1, 2]\n',
      'code.js': code,
      'code.json': '{"a": 1} // b\n',
      'notes.md': '# Notes\n\n- *one*\n',
      'page.ejs': 'Hello <%= name %>\n',
    },
  });
  const installed = join(import.meta.dirname, '../../examples/cli-bridge');
  for (const name of [...programs.map((program) => program.name), 'rollup']) {
    copyPackage(name, installed, join(workspace.root, 'node_modules'));
  }
  session = opened(await (await workspace.start()).openSession({by: 'test', lane: 'core'}));
});
afterAll(async () => await workspace.remove());

interface Compared {
  readonly runs: readonly {own: Printed; adapted: Printed & {execution_error?: string}}[];
}

interface Printed {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

test.each(programs)('$name', async ({name, bin, runs}) => {
  const input = {script: `node_modules/${name}/${bin}`, runs: runs.map(({args, stdin = ''}) => ({args, stdin}))};
  const compared = (await must(session, 'compare:run', input)) as unknown as Compared;
  expect(compared.runs).toHaveLength(runs.length);
  for (const [index, {own, adapted}] of compared.runs.entries()) {
    const {args = [], status = own.status, trace} = runs[index] ?? {};
    expect(own.status, args.join(' ')).toBe(status);
    if (trace === true) {
      const [message = 'no message'] = /(?:Error|ERROR): .*/u.exec(own.stderr) ?? [];
      expect(adapted.stderr).toContain(message);
      expect([adapted.status, adapted.stdout]).toEqual([own.status, own.stdout]);
    } else expect(adapted, args.join(' ')).toEqual({...own, ok: own.status === 0});
  }
});

test('rollup, whose parser is a native addon, ends in the same way each time', async () => {
  const args = ['code.js', '--silent', '--format', 'cjs'];
  for (let count = 0; count < 10; count++) {
    const input = {script: 'node_modules/rollup/dist/bin/rollup', runs: [{args, stdin: ''}]};
    const {runs} = (await must(session, 'compare:run', input)) as unknown as Compared;
    expect(runs[0]?.own).toMatchObject({status: 0, stdout: expect.stringContaining('function add(first, second)')});
    expect(runs[0]?.adapted).toEqual({...runs[0]?.own, ok: true});
  }
});

test('the adapter refuses to run on the pool', async () => {
  const output = await session.call('compare:pool', {});
  expect(output.error?.code).toBe('CLI_NEEDS_SANDBOX');
});
