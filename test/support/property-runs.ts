// How long properties run, and from which seed, when `npm run properties` says so: for all that do not say it themselves.
import * as fc from 'fast-check';

const [runs, seed] = [process.env['LUMENFLOW_PROPERTY_RUNS'], process.env['LUMENFLOW_PROPERTY_SEED']].map(Number);
fc.configureGlobal({
  ...(Number.isInteger(runs) && {numRuns: runs}),
  ...(Number.isInteger(seed) && {seed}),
});
