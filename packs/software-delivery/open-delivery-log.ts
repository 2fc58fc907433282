// The delivery log with every slice of the pack, as tools open it.
import {agentSlice} from './agents/agent-slice.ts';
import {configSlice} from './config/config-slice.ts';
import {delegationSlice} from './delegation/delegation-slice.ts';
import {createDeliveryLog, type DeliveryLog, type LogContext} from './events/delivery-log.ts';
import {doneSlice} from './done/done-slice.ts';
import type {Slice} from './events/slice.ts';
import {flowSlice} from './flow/flow-slice.ts';
import {metricsSlice} from './flow/metrics-slice.ts';
import {gateRecords} from './gates/gate-records.ts';
import {initiativeSlice} from './initiatives/initiative-slice.ts';
import {memorySlices} from './memory/memory-shard.ts';
import {planSlice} from './plans/plan-slice.ts';
import {signalSlice} from './signals/signal-slice.ts';
import {viewSlice} from './views/view-slice.ts';
import {workUnitSlice} from './work-units/work-unit-slice.ts';

export const deliverySlices: readonly Slice<unknown, never>[] = [
  agentSlice,
  configSlice,
  delegationSlice,
  doneSlice,
  flowSlice,
  gateRecords,
  initiativeSlice,
  ...memorySlices,
  metricsSlice,
  planSlice,
  signalSlice,
  viewSlice,
  workUnitSlice,
];

/** Domain code receives this log as an argument. */
export function openDeliveryLog(context: LogContext): DeliveryLog {
  return createDeliveryLog(context, {slices: deliverySlices});
}
