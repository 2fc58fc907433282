// Changes of the config that were proposed and wait for a person: the last one of each place.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';

export interface ConfigProposed extends DeliveryEvent {
  readonly type: 'config_proposed';
  readonly pointer: string;
  /** Null when what stands there is to go. */
  readonly value: unknown;
  readonly reason?: string;
}

export type ConfigProposal = Omit<ConfigProposed, 'type'>;

export const configSlice: Slice<Record<string, ConfigProposal>, ConfigProposed> = {
  name: 'config-proposals',
  version: 1,
  initial: {},
  evolve(state, event) {
    if (event.type !== 'config_proposed') return state;
    const {type: _, ...proposal} = event;
    state[event.pointer] = proposal;
    return state;
  },
};
