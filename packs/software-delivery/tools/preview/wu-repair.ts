// What wu:repair would repair.
import {dryRunOf} from './dry-run-of.ts';
import {wuRepair} from '../wu/repair.ts';

export const previewWuRepair: typeof wuRepair = dryRunOf(wuRepair);
