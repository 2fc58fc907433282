// Previews of tools whose dry run contains everything that a person needs.
import {dryRunOf} from './dry-run-of.ts';
import {initiativeBulkAssign} from '../initiative/bulk-assign.ts';
import {laneLockBreak} from '../lane-lock/break.ts';
import {laneLockFreeze} from '../lane-lock/freeze.ts';
import {orchestrateRecover} from '../orchestrate/recover.ts';

export const previewBulkAssign: typeof initiativeBulkAssign = dryRunOf(initiativeBulkAssign);
export const previewFreeze: typeof laneLockFreeze = dryRunOf(laneLockFreeze);
export const previewRecover: typeof orchestrateRecover = dryRunOf(orchestrateRecover);
export const previewBreak: typeof laneLockBreak = dryRunOf(laneLockBreak);
