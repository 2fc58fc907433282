// Tries whether an allowlist is enforced here: from inside, a listed name must be reachable and an unlisted address must refuse
// at once.
import type {RunnerProgram} from '../backends/runner-program.ts';
import {failed, ok, type Outcome} from '../outcome.ts';
import type {CompiledProfile} from '../profile/profile-input.ts';
import {narrowestProfile} from '../profile/narrowest-profile.ts';
import {uncheckedProfile} from '../profile/unchecked-profile.ts';
import type {ExecutorContext} from './executor-context.ts';
import {runTrial} from './run-trial.ts';

const entries: readonly string[] = ['allowed.invalid:443'];
const attempt = `
const {connect} = require('node:net');
const fail = (text) => { console.error(text); process.exit(1); };
require('node:dns').lookup('allowed.invalid', (error, address) => {
  if (error) fail('a listed name does not resolve: ' + error.code);
  const next = () => connect(443, '192.0.2.1')
    .on('connect', () => fail('an address that is not listed was reached'))
    .on('error', ({code}) => (code === 'ECONNREFUSED' ? process.exit(0) : fail('not refused at once: ' + code)));
  // The name leads nowhere, so what took the connection ends it again.
  connect(443, address).on('error', ({code}) => (code === 'ECONNRESET' ? next() : fail('a listed name cannot be reached: ' + code)));
});`;

export async function tryAllowlist({
  backend,
  network,
  runner,
}: Pick<ExecutorContext, 'backend' | 'network' | 'runner'>): Promise<Outcome<undefined>> {
  const profile = trialProfile(runner);
  const opened = await network.open(profile.profile, 'namespace', backend);
  if (!opened.ok) return opened;
  opened.value?.begin();
  const argv = [runner.nodePath, '-e', attempt];
  const printed = await runTrial({argv, profile, network: opened.value?.attachment}, backend);
  await opened.value?.close();
  if (printed.ok) return ok(undefined);
  return failed({
    message: `the trial of a network allowlist failed: ${printed.problem.message}`,
    help: 'see the other checks of `lumenflow sandbox doctor`',
  });
}

function trialProfile({runtimePaths}: RunnerProgram): CompiledProfile {
  return uncheckedProfile({
    ...narrowestProfile(runtimePaths),
    network_posture: 'allowlist',
    network_allowlist: [...entries],
  });
}
