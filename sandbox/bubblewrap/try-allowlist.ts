// Finds out by trying whether an allowlist holds here: from inside, a listed name must be reached and an address
// that is not listed must refuse at once.
import type {RunnerProgram} from '../backends/runner-program.ts';
import type {SandboxProblem} from '../backends/sandbox-backend.ts';
import {captureOutput} from '../commands/bounded-output.ts';
import type {SandboxNetwork} from '../network/create-sandbox-network.ts';
import {launchBubblewrap} from './launch.ts';
import {narrowestProfile, type BubblewrapProbe} from './probe-bubblewrap.ts';

const trialMs = 20_000;
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

export interface AllowlistTrial {
  readonly probe: Extract<BubblewrapProbe, {readonly kind: 'ready'}>;
  readonly network: SandboxNetwork;
  readonly runner: Pick<RunnerProgram, 'nodePath' | 'runtimePaths'>;
}

/** What went wrong, undefined when the allowlist held. */
export async function tryAllowlist({probe, network, runner}: AllowlistTrial): Promise<SandboxProblem | undefined> {
  const grant = {network_posture: 'allowlist' as const, network_allowlist: [...entries]};
  const opened = await network.open(grant);
  if (opened === undefined || 'message' in opened) return opened;
  opened.begin();
  const launched = await launchBubblewrap({
    host: probe.host,
    filter: probe.filter,
    profile: {
      ...narrowestProfile(),
      readonly_bind_mounts: runner.runtimePaths.map((path) => ({source: path, target: path})),
      ...grant,
    },
    enterNetwork: opened.enter,
    argv: [runner.nodePath, '-e', attempt],
    cwd: '/tmp',
    output: 'pipe',
    withWire: false,
    timeoutMs: trialMs,
  });
  const said = launched.stderr === undefined ? () => ({text: ''}) : captureOutput(launched.stderr, 4000);
  const {exitCode, startError} = await launched.ended;
  await opened.close();
  if (exitCode === 0) return undefined;
  return {
    message: `the trial of a network allowlist failed (\`${startError ?? said().text.trim()}\`)`,
    help: 'see the other checks of `lumenflow sandbox doctor`',
  };
}
