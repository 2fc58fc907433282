// The recorded spec of a work unit, from the whole log, because the slice contains only summaries.
import {ToolError} from '@lumenflow/pack-sdk';
import type {DeliveryLog} from '../events/delivery-log.ts';
import type {Slice} from '../events/slice.ts';
import type {WuEvent} from './wu-event.ts';
import type {WuSpec} from './wu-spec.ts';

/** Throws ToolError WU_NOT_FOUND. */
export async function recordedSpec(log: DeliveryLog, id: string): Promise<WuSpec> {
  const specOfOne: Slice<{spec?: WuSpec}, WuEvent> = {
    name: `spec-${id.toLowerCase()}`,
    version: 1,
    initial: {},
    evolve(state, event) {
      const isOwn = (event.type === 'wu_created' || event.type === 'wu_edited') && event.id === id;
      return isOwn ? {spec: event.spec} : state;
    },
  };
  const {spec} = await log.read(specOfOne);
  if (spec !== undefined) return spec;
  throw new ToolError('WU_NOT_FOUND', `no spec of \`${id}\` was ever recorded`, {id});
}
