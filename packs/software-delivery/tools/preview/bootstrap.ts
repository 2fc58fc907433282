// What state:bootstrap would record.
import {dryRunOf} from './dry-run-of.ts';
import {stateBootstrap} from '../state/bootstrap.ts';

export const previewBootstrap: typeof stateBootstrap = dryRunOf(stateBootstrap);
