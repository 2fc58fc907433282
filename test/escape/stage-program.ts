// Runs on the machine as the attacking user: a real host on a prepared workspace. Each attack is started by name and judged from
// outside of its call. Each line of input is a command, and each line of output its answer.
import {startHost, type Host, type Session} from '@lumenflow/host';
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {SandboxBackendName} from '@lumenflow/schemas';
import type {ToolOutput} from '@lumenflow/schemas';
import {spawn, type ChildProcess} from 'node:child_process';
import {once} from 'node:events';
import {createInterface} from 'node:readline';
import {setTimeout as sleep} from 'node:timers/promises';
import type {Attack, Lane, Setting} from './attack-pack/attack.ts';
import {attackGroups} from './attack-pack/attacks/attack-groups.ts';
import {attackedBackends} from './attacked-backends.ts';
import {isAlive, leftoversOf, mountsBelow, readText} from './look-outside.ts';
import {boundedMs, inProcessMs, makeWorkspace} from './make-workspace.ts';
import {makePlaces, resetPlaces, settingOf} from './prepare-setting.ts';
import {listedPort, otherPort, serveMachine} from './serve-machine.ts';
import type {StageAnswer, StageOrder} from './stage-wire.ts';
import {startEngine} from './start-engine.ts';
import {opened} from '../support/opened.ts';

const [base = '', engines = '', name = 'bubblewrap', mode = 'guarded', starts = 'cold'] = process.argv.slice(2);
const backend = name as SandboxBackendName;
const guarded = mode === 'guarded';
const secret = process.env['HOST_SECRET'] ?? '';
const places = makePlaces(base);
process.chdir(places.outside);
const attacked = attackedBackends[backend] ?? {};
const {startsSlowly = false} = attacked;
/** Where a call starts slowly, so does its handler: its time must not be over before its attempt. */
const patience = startsSlowly ? 10 : 1;
const deadlines = {deadlineMs: boundedMs * patience, poolDeadlineMs: inProcessMs * patience};
// Its containers get networks of this machine, and its processes end with it.
const engine = attacked.engine && (await startEngine(attacked.engine, engines));
// Where a host finds its key for workers, and the address of its cluster.
Object.assign(process.env, engine?.env);
const workspaceYaml = makeWorkspace(places.root, {
  guarded,
  patience,
  direct: attacked.copiesFiles !== true,
  backends: engine && {[backend]: engine.options},
});
const servers = await serveMachine(secret, `${places.home}/agent.sock`);
const env = {PATH: process.env['PATH'], HOME: places.home, HOST_SECRET: secret, OTHER_TOKEN: secret, OWN_TOKEN: 'own'};
const host: Host = await startHost({
  workspaceRoot: places.root,
  threads: 1,
  env: {...env, ...engine?.env},
  backend,
  // The files of the next attack are other files: a sandbox that waits for them serves no call, and costs seconds.
  warmSandboxes: !startsSlowly || starts === 'warm',
});
const sessions = new Map<Lane, Session>();

interface Called {
  readonly output: ToolOutput;
  readonly begun: boolean;
  /** From its attempt to its result; 0 if no attempt was made: a start that takes long is not an attack that did. */
  readonly milliseconds: number;
}

async function call(attack: Attack, step: number, setting: Setting, order: StageOrder): Promise<Called> {
  const tool = attack.tool ?? 'try';
  let from = performance.now();
  const milliseconds = (): number => performance.now() - from;
  if (tool === 'pool' && !guarded) {
    const output = await callBare(attack, step, setting);
    return {output, begun: true, milliseconds: milliseconds()};
  }
  const lane = attack.lanes?.[step] ?? 'wide';
  const session = sessions.get(lane) ?? opened(await host.openSession({by: 'attacker', lane}));
  sessions.set(lane, session);
  if (order.warm) await haveSpare(session, attack, setting, order);
  attack.between?.(setting);
  let begun = false;
  let meanwhile: Promise<void> | undefined;
  const name = tool === 'pool' ? 'trusted:try-in-process' : `attack:${tool}`;
  const output = await session.call(
    name,
    {attack: order.attack, step, setting},
    {
      onProgress(payload) {
        if (begun || (payload as {begun?: string}).begun !== order.attack) return;
        begun = true;
        from = performance.now();
        meanwhile = attack.meanwhile?.(setting);
      },
    },
  );
  const took = milliseconds();
  await meanwhile;
  return {output, begun, milliseconds: begun ? took : 0};
}

/** A call of the same kind that makes no attempt, after which one for the next is started. */
async function haveSpare(session: Session, attack: Attack, setting: Setting, order: StageOrder): Promise<void> {
  await session.call(`attack:${attack.tool ?? 'try'}`, {attack: order.attack, step: -1, setting});
  await sparesStarted();
}

const servedBySpares = (): number => host.sandbox.warmPool()?.hits ?? 0;

/** Files are not to be exchanged under a sandbox that is just being made. */
async function sparesStarted(): Promise<void> {
  do await sleep(20);
  while ((host.sandbox.warmPool()?.starting ?? 0) > 0);
}

/** The comparison for the pool: the same code in the host's own thread. */
async function callBare(attack: Attack, step: number, setting: Setting): Promise<ToolOutput> {
  const context = {workspace_root: places.root, env: process.env} as unknown as ToolContext;
  try {
    return {success: true, data: {said: await attack.attempts[step]?.(setting, context)}};
  } catch (error) {
    return {success: true, data: {said: String(error)}};
  }
}

async function obey(order: StageOrder): Promise<StageAnswer> {
  const [group = '', name = ''] = order.attack.split('/');
  const attack = attackGroups[group]?.find((one) => one.name === name);
  if (attack === undefined) throw new Error(`there is no attack \`${order.attack}\``);
  await sparesStarted();
  resetPlaces(places, secret, workspaceYaml);
  const victim = await startVictim();
  const marker = `escape-${name}`;
  const facts = {hostPid: process.pid, victimPid: victim.pid ?? 0, port: listedPort, udpPort: otherPort};
  const disposable = process.env['ESCAPE_DISPOSABLE'] === '1';
  const setting = settingOf(places, marker, {...facts, guarded, disposable, ...deadlines});
  attack.prepare?.(setting);
  servers.takeReceived();
  const called: Called[] = [];
  const servedBefore = servedBySpares();
  for (const step of attack.attempts.keys()) called.push(await call(attack, step, setting, order));
  const {milliseconds = 0} = called.at(-1) ?? {};
  await sleep(attack.settleMs ?? 20);
  const warm = servedBySpares() - servedBefore;
  const outputs = called.map(({output}) => output);
  const said = outputs.map(wordsOf).join('\n');
  const received = servers.takeReceived();
  const look = {setting, secret, said, outputs, received, milliseconds, read: readText, isAlive};
  const outside = {...look, leftovers: () => leftoversOf(marker), verifies: () => verifies(host)};
  const succeeded = await (attack.succeeded ?? gotThrough)(outside);
  for (const pid of leftoversOf(marker)) process.kill(pid, 'SIGKILL');
  victim.kill('SIGKILL');
  const begun = called.every((one) => one.begun && !(guarded && isUnrecorded(one.output)));
  const refused = called.some((one) => !one.begun && isRefused(one.output));
  // Where calls do not begin any more, none will.
  const spoilt = (!begun && !refused) || mountsBelow(base).length > 0;
  return {begun, refused, succeeded, spoilt, warm, said: said.replaceAll(secret, '<the secret>').slice(0, 600)};
}

function isRefused({error}: ToolOutput): boolean {
  return error?.code === 'SANDBOX_UNAVAILABLE' && attacked.refuses?.test(error.message) === true;
}

/** The host replaced what the attack returned: nothing is known of that. */
function isUnrecorded({error}: ToolOutput): boolean {
  return error?.code === 'EVIDENCE_UNAVAILABLE';
}

function gotThrough({said, received, setting}: {said: string; received: string; setting: Setting}): boolean {
  return said.includes(secret) || received.includes(setting.marker);
}

function wordsOf({data, error}: ToolOutput): string {
  const {said} = (data ?? {}) as {said?: string};
  return said ?? `${error?.code ?? ''} ${error?.message ?? ''}`;
}

async function startVictim(): Promise<ChildProcess> {
  const victim = spawn('/bin/sleep', ['300'], {env: {VICTIM_SECRET: secret}, stdio: 'ignore'});
  await once(victim, 'spawn');
  return victim;
}

async function verifies({runtime}: Host): Promise<boolean> {
  const {status} = await runtime.evidence.verify();
  return status === 'verified' || status === 'unsigned_tail';
}

const lines = createInterface({input: process.stdin});
const reply = (value: object): void => void process.stdout.write(`${JSON.stringify(value)}\n`);
lines.on('line', (line) => {
  const order = JSON.parse(line) as StageOrder;
  obey(order).then(reply, (error: unknown) => reply({problem: error instanceof Error ? error.message : String(error)}));
});
lines.on('close', () => {
  void host
    .close()
    .then(async () => await engine?.end())
    .finally(() => process.exit());
});
reply({ready: true});
