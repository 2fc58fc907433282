// Waits until a container that was started has an address, and what runs in it answers there.
import {failed, ok, type Outcome} from '../outcome.ts';
import type {ContainerApi} from './container-api.ts';
import {nextAttempt, type Pacing} from './pacing.ts';
import {proxmoxFailure, type ProxmoxFailure} from './proxmox-failure.ts';

export interface ContainerReach<Worker> {
  readonly api: Pick<ContainerApi, 'addresses'>;
  readonly pacing: Pacing;
  /** Connects to the worker at an address; a problem while it does not answer. */
  reach(address: string): Promise<Outcome<Worker>>;
}

const reachMs = 120_000;

export async function reachContainer<Worker>(
  id: number,
  {api, pacing, reach}: ContainerReach<Worker>,
): Promise<Outcome<Worker, ProxmoxFailure>> {
  const untilMs = pacing.now() + reachMs;
  for (let attempt = 0; ; attempt += 1) {
    const addresses = await api.addresses(id);
    const [address] = addresses.ok ? addresses.value : [];
    const worker = address === undefined ? undefined : await reach(address);
    if (worker?.ok === true) return ok(worker.value);
    if (await nextAttempt(Math.min(attempt, 3), untilMs, pacing)) continue;
    if (worker !== undefined) return failed(proxmoxFailure(worker.problem.message));
    return addresses.ok ? failed(proxmoxFailure('the container has no address')) : addresses;
  }
}
