// Makes attacks as one user, each first without restrictions, then on the backend. Only an attack that works the first time can
// be prevented the second time.
import type {SandboxBackendName} from '@lumenflow/schemas';
import {attackGroups} from './attack-pack/attacks/attack-groups.ts';
import type {Attack} from './attack-pack/attack.ts';
import {attackedBackends, type AttackedBackend} from './attacked-backends.ts';
import type {StageAnswer} from './stage-wire.ts';
import {createStage, type NoMachine, type Stage} from './stage.ts';

/**
 * held: it works unsandboxed and not on the backend. succeeded: it works there too. documented: the same, as docs/sandbox.md says of
 * direct calls. impossible: it fails even unsandboxed on this machine. refused: the backend does not start such calls. not_tried: the
 * call ended before the attempt. no_machine: the machine to make it on did not start.
 */
export type Status = 'held' | 'succeeded' | 'documented' | 'impossible' | 'refused' | 'not_tried' | 'no_machine';

export interface AttackResult {
  readonly group: string;
  readonly name: string;
  readonly title: string;
  readonly user: string;
  readonly status: Status;
  /** What the attack had to say, on the backend; of an impossible one, unsandboxed. */
  readonly said: string;
  /** Unsandboxed and on the backend, preparation included. */
  readonly milliseconds: number;
  /** Attempts on the backend that were made in a sandbox which was started before. */
  readonly warm: number;
}

export interface AttackUser {
  readonly name: string;
  /** Undefined: the user of the harness. */
  readonly uid: number | undefined;
}

export interface Selection {
  readonly groups: readonly string[];
  /** Of these names only, when there are any. */
  readonly names?: readonly string[];
  /** Without what takes seconds. */
  readonly quick: boolean;
  /** One in so many of them, from all groups; default each. */
  readonly oneIn?: number;
}

interface Selected {
  readonly group: string;
  readonly attack: Attack;
}

export function selectAttacks({groups, names = [], quick, oneIn = 1}: Selection): readonly Selected[] {
  return Object.entries(attackGroups)
    .filter(([group]) => groups.length === 0 || groups.includes(group))
    .flatMap(([group, attacks]) => attacks.map((attack) => ({group, attack})))
    .filter(({attack}) => names.length === 0 || names.includes(attack.name))
    .filter(({attack}) => !quick || attack.slow !== true)
    .filter((_, index) => index % oneIn === 0);
}

export interface AttackRun {
  readonly backend: SandboxBackendName;
  readonly user: AttackUser;
  readonly attacks: readonly Selected[];
  /** In sandboxes that were started before their calls, where the backend has such; default as it comes. */
  readonly warm?: boolean;
  /** Attacks that are made at once, each on a machine of its own; default 1. */
  readonly atOnce?: number;
  onResult?(result: AttackResult): void;
}

/** A start takes minutes on a machine that cannot start any: after so many attacks in a row without one, the others have none either. */
const withoutMachineMax = 2;

export async function makeAttacks({attacks, atOnce = 1, ...run}: AttackRun): Promise<readonly AttackResult[]> {
  const left = attacks.values();
  const made = Array.from({length: atOnce}, async () => await makeInTurn(left, run));
  return (await Promise.all(made)).flat();
}

/** On the same machines, one after the other. */
async function makeInTurn(
  attacks: Iterable<Selected>,
  {backend, user, warm = false, onResult}: Omit<AttackRun, 'attacks' | 'atOnce'>,
): Promise<readonly AttackResult[]> {
  const unheld = createStage({backend: 'unsafe-host', guarded: false, warm: false, uid: user.uid});
  const held = createStage({backend, guarded: true, warm, uid: user.uid});
  const results: AttackResult[] = [];
  try {
    for (const selected of attacks) {
      const {group, attack} = selected;
      const {name, title} = attack;
      const started = performance.now();
      const last = results.slice(-withoutMachineMax);
      const isHopeless = last.length === withoutMachineMax && last.every(({status}) => status === 'no_machine');
      const found = isHopeless
        ? without('as for the attacks before')
        : await makeAttack(selected, attackedBackends[backend] ?? {}, {unheld, held});
      const milliseconds = Math.round(performance.now() - started);
      const result = {group, name, title, user: user.name, ...found, milliseconds};
      results.push(result);
      onResult?.(result);
    }
    return results;
  } finally {
    await Promise.all([unheld.close(), held.close()]);
  }
}

type Found = Pick<AttackResult, 'status' | 'said' | 'warm'>;

async function makeAttack(
  {group, attack}: Selected,
  backend: AttackedBackend,
  {unheld, held}: Readonly<Record<'unheld' | 'held', Stage>>,
): Promise<Found> {
  const id = `${group}/${attack.name}`;
  const proof = await unheld.attack(id);
  if ('noMachine' in proof) return without(proof.noMachine);
  if (!proof.succeeded) return {status: proof.begun ? 'impossible' : 'not_tried', said: proof.said, warm: 0};
  return judge(attack, backend, await held.attack(id));
}

const without = (said: string): Found => ({status: 'no_machine', said, warm: 0});

function judge({documented}: Attack, {copiesFiles}: AttackedBackend, answer: StageAnswer | NoMachine): Found {
  if ('noMachine' in answer) return without(answer.noMachine);
  const {begun, refused, succeeded, said, warm} = answer;
  const success = documented === true && copiesFiles !== true ? 'documented' : 'succeeded';
  const failure = refused ? 'refused' : begun ? 'held' : 'not_tried';
  return {warm, status: succeeded ? success : failure, said};
}
