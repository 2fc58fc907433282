// Makes a container from the template, under an id that no other host got at the same time.
import {failed, type Outcome} from '../outcome.ts';
import type {ContainerApi} from './container-api.ts';
import {nextAttempt, type Pacing} from './pacing.ts';
import type {ProxmoxFailure} from './proxmox-failure.ts';

export interface ContainerSource {
  readonly template: number;
  /** Undefined: the template itself. */
  readonly snapshot: string | undefined;
  readonly pool: string;
}

/** `id`: under which something may be left. */
export type CopyFailure = ProxmoxFailure & {readonly id?: number};

const idsMax = 20;
const copyMs = 600_000;

/** Several hosts may be offered the same id: all but one of them are refused, and ask again. */
export async function copyTemplate(
  hostname: string,
  {template, snapshot, pool}: ContainerSource,
  {api, pacing}: {readonly api: ContainerApi; readonly pacing: Pacing},
): Promise<Outcome<number, CopyFailure>> {
  const untilMs = pacing.now() + copyMs;
  for (let attempt = 0; ; attempt += 1) {
    const id = await api.freeId();
    if (!id.ok) return id;
    const parameters = {newid: id.value, hostname, pool};
    const fromSnapshot = snapshot === undefined ? {} : {snapname: snapshot, full: 1};
    const copied = await api.clone(template, {...parameters, ...fromSnapshot});
    if (copied.ok) return id;
    const isTaken = copied.problem.kind === 'taken' && attempt < idsMax;
    if (!isTaken || !(await nextAttempt(attempt, untilMs, pacing))) return failed({...copied.problem, id: id.value});
  }
}
