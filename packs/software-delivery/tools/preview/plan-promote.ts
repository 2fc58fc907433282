// What plan:promote would write.
import {dryRunOf} from './dry-run-of.ts';
import {planPromote} from '../plan/promote.ts';

export const previewPlanPromote: typeof planPromote = dryRunOf(planPromote);
