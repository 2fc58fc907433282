// The types of tools, as a compiler reads them.
import {execFileSync} from 'node:child_process';
import {mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {afterAll, expect, it} from 'vitest';
import {codeTypes} from './code-types.ts';

const folder = mkdtempSync(join(tmpdir(), 'code-types-'));
afterAll(() => rmSync(folder, {recursive: true}));
const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc');

const order = {type: 'object', properties: {id: {$ref: '#/$defs/id'}}, required: ['id'], $defs: {id: {type: 'string'}}};
const number = {...order, $defs: {id: {type: 'number'}}};
const tools = [
  {name: 'orders:find', description: 'Finds */ an order.', input_schema: order, output_schema: order},
  {name: 'orders:mark-paid', description: 'Marks.', input_schema: number},
  {name: 'gates', description: 'Runs all gates.'},
  {name: 'gates:results', description: 'Shows results.'},
];

/** What the compiler says about code; empty if it accepts it. */
function problems(code: string): string {
  writeFileSync(join(folder, 'code.mts'), `export {};\n${code}\n`);
  const options = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2023',
    '--module',
    'nodenext',
    '--types',
    '',
  ];
  try {
    return execFileSync(process.execPath, [tsc, ...options, 'tools.d.ts', 'code.mts'], {cwd: folder, encoding: 'utf8'});
  } catch (error) {
    return (error as {readonly stdout: string}).stdout;
  }
}

it('a compiler accepts calls that fit the schemas, and no others', async () => {
  writeFileSync(join(folder, 'tools.d.ts'), await codeTypes(tools));
  const right = `
    const {id} = await tools.orders.find({id: 'A-1'});
    await tools.orders.markPaid({id: id.length});
    await tools.gates();
    await tools.gates.results();
    const {value, error} = await gateway.runTool('orders:find', {id});
    result([value, error?.code, (await gateway.searchTools('order'))[0]?.summary]);`;
  expect(problems(right)).toBe('');
  expect(problems(`await tools.orders.find({id: 1});`)).toContain('TS2322');
  expect(problems(`await tools.orders.purge();`)).toContain('TS2339');
});
