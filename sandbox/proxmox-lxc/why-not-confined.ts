// Checks how a container is configured, before it is started: what its administrator set by hand may let its programs out.
import type {ContainerConfig} from './container-api.ts';

const allowedFeatures: ReadonlySet<string> = new Set(['nesting']);
const forbidden: readonly (readonly [RegExp, string])[] = [
  [/^mp\d+$/, 'has a mount point'],
  [/^dev\d+$/, 'has a device of its node'],
  [/^lxc(\..+)?$/, 'has options of LXC itself'],
  [/^hookscript$/, 'starts a program of its node'],
  [/^unused\d+$/, 'has an unused volume'],
];

/** Undefined if calls may run in it. */
export function whyNotConfined(config: ContainerConfig): string | undefined {
  if (Number(config['unprivileged']) !== 1) return 'is not unprivileged';
  for (const name of Object.keys(config)) {
    const reason = forbidden.find(([pattern]) => pattern.test(name))?.[1];
    if (reason !== undefined) return `${reason} (\`${name}\`)`;
  }
  const feature = featuresOf(config).find((name) => !allowedFeatures.has(name));
  if (feature !== undefined) return `has the feature \`${feature}\``;
  const networks = Object.keys(config).filter((name) => /^net\d+$/.test(name));
  return networks.length === 1 ? undefined : `has ${networks.length} network interfaces`;
}

/** Those that are on: `nesting=1,keyctl=0`. */
function featuresOf({features}: ContainerConfig): readonly string[] {
  const pairs = typeof features === 'string' ? features.split(',') : [];
  return pairs.flatMap((pair) => {
    const [name = '', value] = pair.split('=');
    return name === '' || value === '0' ? [] : [name];
  });
}
