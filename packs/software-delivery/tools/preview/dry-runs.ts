// Previews of tools whose dry run contains everything that a person needs.
import {dryRunOf} from '../../previews/dry-run-of.ts';
import {initiativeBulkAssign} from '../initiative/bulk-assign.ts';
import {laneLock} from '../lane/lock.ts';
import {orchestrateRecover} from '../orchestrate/recover.ts';
import {wuUnlockLane} from '../wu/unlock-lane.ts';

export const previewBulkAssign: typeof initiativeBulkAssign = dryRunOf(initiativeBulkAssign);
export const previewLaneLock: typeof laneLock = dryRunOf(laneLock);
export const previewRecover: typeof orchestrateRecover = dryRunOf(orchestrateRecover);
export const previewUnlockLane: typeof wuUnlockLane = dryRunOf(wuUnlockLane);
