// `npm run backends`: what each backend guarantees on this machine, what its calls cost, and how many attacks it prevents.
import {readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {attackGroups} from '../escape/attack-pack/attacks/attack-groups.ts';
import {commandOptions} from '../support/command-options.ts';
import {sumLine} from '../escape/sum-line.ts';
import {backendTable} from './backend-table.ts';
import {testDelivery} from './test-delivery.ts';
import {measureBackend, measuredBackends, type MeasuredBackend} from './measure-backend.ts';

const usage = `npm run backends -- [options]
  --backend NAME   this backend alone, may be repeated: ${measuredBackends.join(', ')}
  --group NAME     makes the quick attacks of this group, may be repeated; default some of all groups
  --delivery       runs the tests of software-delivery and of the examples on each backend, and measures nothing
  --write          writes the table into docs/backends.md
An engine that is installed is started in a separate folder, and ended. Exits with 1 when an attack succeeded, or was
not really tried, or when a test failed.
`;
const {values} = commandOptions(usage, {
  options: {
    backend: {type: 'string', multiple: true, default: [...measuredBackends] as string[]},
    group: {type: 'string', multiple: true, default: [] as string[]},
    delivery: {type: 'boolean', default: false},
    write: {type: 'boolean', default: false},
  },
});
const unknown = values.group.find((name) => !Object.hasOwn(attackGroups, name));
if (unknown !== undefined) {
  process.stderr.write(`there is no group \`${unknown}\`: use ${Object.keys(attackGroups).join(', ')}\n`);
  process.exit(2);
}
if (values.delivery) {
  const failed: string[] = [];
  for (const backend of measuredBackends.filter((name) => name !== 'wasm' && values.backend.includes(name)))
    if (!(await testDelivery(backend))) failed.push(backend);
  process.stdout.write(`tests failed on: ${failed.join(', ') || 'no backend'}\n`);
  process.exit(failed.length === 0 ? 0 : 1);
}
const page = join(import.meta.dirname, '../../docs/backends.md');
const [start, end] = ['<!-- measured: npm run backends -- --write -->', '<!-- end of measured -->'];

const measured: MeasuredBackend[] = [];
for (const backend of measuredBackends.filter((name) => values.backend.includes(name))) {
  process.stderr.write(`${backend} …\n`);
  measured.push(await measureBackend(backend, values.group));
}
const table = backendTable(measured);
process.stdout.write(`${table}\n`);
if (values.write) {
  const text = readFileSync(page, 'utf8');
  const [before = '', rest = ''] = text.split(start);
  const [, after = ''] = rest.split(end);
  const present = backendTable(measured.filter(({report}) => report.available));
  writeFileSync(page, `${before}${start}\n\n${present}\n\n${end}${after}`);
}
const verdicts = measured.flatMap(({attacks}) => attacks ?? []);
for (const {backend, attacks} of measured)
  for (const reason of attacks?.problems ?? []) process.stderr.write(`${backend}: ${reason}\n`);
process.stdout.write(`${sumLine(verdicts)}\n`);
if (verdicts.some(({holds}) => !holds)) process.exitCode = 1;
