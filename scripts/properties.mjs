// `npm run properties`: the property tests, with more cases than `npm test`, and with a seed that can be repeated.
//   npm run properties -- [folders]   the folders that contain properties, or some of them
//   --runs N    cases of each property, 10,000 without it      --seed N   repeats a run
import {parseArgs} from 'node:util';
import {prepare} from './prepare.mjs';
import {fail, runForeground, say} from './run.mjs';

const withProperties = [
  'kernel/scopes',
  'kernel/policy/policy-properties',
  'kernel/evidence',
  'kernel/node/evidence/call-index',
  'kernel/node/evidence/damaged-index',
  'sandbox/transaction/person-day',
  'test/acceptance/host/shared-day',
  'test/conformance/proofs',
];

const {values, positionals} = parseArgs({
  options: {
    runs: {type: 'string', default: '10000'},
    seed: {type: 'string', default: String(Date.now() % 2 ** 31)},
  },
  allowPositionals: true,
});
for (const [name, text] of Object.entries(values)) {
  if (!/^[1-9][0-9]{0,9}$/u.test(text)) fail(`\`--${name}\` is a whole number, not \`${text}\``, 2);
}

prepare({sandboxRequired: false});
say(`${values.runs} cases of each property, seed ${values.seed}`);
process.exitCode = await runForeground(
  'npx',
  ['vitest', 'run', '--testTimeout=0', ...(positionals.length > 0 ? positionals : withProperties)],
  {...process.env, LUMENFLOW_PROPERTY_RUNS: values.runs, LUMENFLOW_PROPERTY_SEED: values.seed},
);
