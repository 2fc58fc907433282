// `npm run escape`: attacks the sandbox from inside of calls, as root and as an ordinary user, through a real host.
import {spawnSync} from 'node:child_process';
import type {SandboxBackendName} from '@lumenflow/schemas';
import {commandOptions} from '../support/command-options.ts';
import {attackGroups} from './attack-pack/attacks/attack-groups.ts';
import {attackedBackends} from './attacked-backends.ts';
import {makeAttacks, selectAttacks, type AttackResult, type AttackUser} from './make-attacks.ts';
import {openResultFile} from './result-file.ts';
import {judgeRun, resultTable} from './result-table.ts';
import {sumLine} from './sum-line.ts';

const flag = {type: 'boolean', default: false} as const;
const list = {type: 'string', multiple: true, default: [] as string[]} as const;
const usage = `npm run escape -- [options]
  --group NAME     the attacks of a group alone, may be repeated: ${Object.keys(attackGroups).join(', ')}
  --attack NAME    one attack alone, may be repeated
  --as USER        root or user alone
  --backend NAME   the backend that is attacked, bubblewrap unless it is given: ${Object.keys(attackedBackends).join(', ')}
  --warm           each attack in a sandbox that was started before its call, as in a long-lived host
  --at-once N      so many attacks of a user at once, each on a machine of its own; 1 unless it is given
  --quick          a part of the attacks
  --results FILE   appends each result as it comes, and makes no attack again whose result the file contains, so that
                   a run that was ended can continue
  --json           the results for programs
Exits with 1 when an attack succeeded that docs/sandbox.md does not list for direct writes, when one was not really
tried, when a machine for attacks did not start, or when fewer than 100 could be tried in a whole run.
`;
const {values} = commandOptions(usage, {
  options: {
    backend: {type: 'string', default: 'bubblewrap'},
    group: list,
    attack: list,
    as: list,
    quick: flag,
    warm: flag,
    'at-once': {type: 'string', default: '1'},
    results: {type: 'string'},
    json: flag,
  },
});
const nobody = 65_534;
const isRoot = process.getuid?.() === 0;
const users: readonly AttackUser[] = isRoot
  ? [
      {name: 'root', uid: undefined},
      {name: 'user', uid: nobody},
    ]
  : [{name: 'user', uid: undefined}];

const atOnceMax = 16;
const atOnce = Number(values['at-once']);

function problemOf(): string | undefined {
  if (!Object.hasOwn(attackedBackends, values.backend)) {
    return `\`${values.backend}\` is not a backend that can be attacked: use ${Object.keys(attackedBackends).join(', ')}`;
  }
  const group = values.group.find((name) => !(name in attackGroups));
  if (group !== undefined)
    return `there is no group \`${group}\`: name some of ${Object.keys(attackGroups).join(', ')}`;
  const user = values.as.find((name) => !['root', 'user'].includes(name));
  if (user !== undefined) return `\`--as\` is root or user, not \`${user}\``;
  if (!(Number.isInteger(atOnce) && atOnce >= 1 && atOnce <= atOnceMax))
    return `\`--at-once\` is an integer from 1 to ${atOnceMax}, not \`${values['at-once']}\``;
  if (selected.length === 0) return 'no attack is left: see the names with `npm run escape -- --json`';
  if (process.platform !== 'linux') return 'the machine that attacks are made on needs the namespaces of Linux';
  for (const program of ['unshare', 'perl', 'mount']) {
    if (spawnSync(program, ['-V']).error !== undefined)
      return `\`${program}\` is missing (packages util-linux, mount, perl-base)`;
  }
  return undefined;
}

const selected = selectAttacks({groups: values.group, names: values.attack, quick: values.quick});
const problem = problemOf();
if (problem !== undefined) {
  process.stderr.write(`${problem}\n`);
  process.exit(2);
}
const chosen = users.filter(({name}) => values.as.length === 0 || values.as.includes(name));
if (!isRoot && !(values.as.length === 1 && values.as[0] === 'user')) {
  process.stderr.write('skipped: attacks as root need root\n');
}
const started = performance.now();
let made = 0;
const onResult = (result: AttackResult): void => {
  const {status, user, group, name} = result;
  made += 1;
  file?.add(result);
  if (['succeeded', 'not_tried', 'no_machine'].includes(status))
    process.stderr.write(`${status} as ${user}: ${group}/${name}\n`);
  if (process.stderr.isTTY) process.stderr.write(`\r${made} of ${selected.length * chosen.length}\r`);
};
const backend = values.backend as SandboxBackendName;
const file = values.results === undefined ? undefined : openResultFile(values.results, backend);
const {needsRoot = false} = attackedBackends[backend] ?? {};
const attackers = chosen.filter(({name}) => !needsRoot || name === 'root');
if (attackers.length < chosen.length) process.stderr.write(`skipped: an ordinary user has no access to ${backend}\n`);

const {warm} = values;
const attackAs = async (user: AttackUser): Promise<readonly AttackResult[]> => {
  const known = file?.known.filter((result) => result.user === user.name) ?? [];
  const isKnown = ({group, attack}: (typeof selected)[number]): boolean =>
    known.some((result) => result.group === group && result.name === attack.name);
  const attacks = selected.filter((one) => !isKnown(one));
  return [...known, ...(await makeAttacks({backend, user, attacks, warm, atOnce, onResult}))];
};
const results = (await Promise.all(attackers.map(attackAs))).flat();
const whole = values.group.length === 0 && values.attack.length === 0 && !values.quick;
const verdict = judgeRun(results, whole);
const inSpares = warm ? `${results.filter(({warm}) => warm > 0).length} in sandboxes started before; ` : '';
const seconds = (performance.now() - started) / 1_000;
if (values.json) {
  process.stdout.write(`${JSON.stringify({backend, seconds, ...verdict, results}, undefined, 2)}\n`);
} else {
  process.stdout.write(`${resultTable(results, backend)}\n\n`);
  process.stdout.write(
    `${backend}: ${verdict.tried} attacks tried, ${verdict.succeeded} succeeded; ${inSpares}${seconds.toFixed(0)} s\n`,
  );
  process.stdout.write(`${sumLine([verdict])}\n`);
  for (const reason of verdict.problems) process.stderr.write(`${reason}\n`);
}
if (!verdict.holds) process.exitCode = 1;
