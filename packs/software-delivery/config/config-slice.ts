// Proposed changes of the config that wait for a person: the latest one of each setting.
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';

export interface ConfigProposed extends DeliveryEvent {
  readonly type: 'config_proposed';
  readonly pointer: string;
  /** Null if the change removes the value. */
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
