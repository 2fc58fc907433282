// Suggests presets that fit a repository's files, with the gates that it seems to have. The suggestion has no effect until it is
// put into workspace.yaml.
import {isToolError, type ScopedFileSystem} from '@lumenflow/pack-sdk';
import type {GatePreset} from '../pack-config.ts';
import {gatePresets} from './gate-presets.ts';

export interface DetectedPreset {
  readonly preset: GatePreset;
  /** The file that suggests this preset. */
  readonly because: string;
  /** By gate: the preset's commands, without those that the repository clearly lacks. */
  readonly commands: Readonly<Record<string, string>>;
  /** YAML for workspace.yaml. */
  readonly yaml: string;
}

const markers: readonly (readonly [GatePreset, RegExp])[] = [
  ['node', /^package\.json$/],
  ['python', /^(?:pyproject\.toml|setup\.py|setup\.cfg|requirements\.txt)$/],
  ['go', /^go\.mod$/],
  ['rust', /^Cargo\.toml$/],
  ['java', /^(?:pom\.xml|build\.gradle(?:\.kts)?)$/],
  ['dotnet', /\.(?:sln|slnx|csproj|fsproj)$/],
  ['ruby', /^Gemfile$/],
  ['php', /^composer\.json$/],
  ['make', /^(?:GNUm|M|m)akefile$/],
];

/** Checks only the root directory. */
export async function detectPresets(fs: ScopedFileSystem): Promise<readonly DetectedPreset[]> {
  const names = (await fs.list('.')).map(({name}) => name);
  const found: DetectedPreset[] = [];
  for (const [preset, marker] of markers) {
    const because = names.find((name) => marker.test(name));
    if (because === undefined) continue;
    const commands = await presentCommands(fs, preset, because);
    found.push({preset, because, commands, yaml: yamlOf(preset, commands)});
  }
  return found;
}

async function presentCommands(
  fs: ScopedFileSystem,
  preset: GatePreset,
  file: string,
): Promise<DetectedPreset['commands']> {
  const all = Object.entries(gatePresets[preset]);
  if (preset !== 'node' && preset !== 'make') return Object.fromEntries(all);
  const text = await readIfGranted(fs, file);
  const has = preset === 'node' ? hasScript(text) : hasTarget(text);
  return Object.fromEntries(all.filter(([, command]) => has(command.slice(command.lastIndexOf(' ') + 1))));
}

function hasScript(text: string): (name: string) => boolean {
  const scripts = new Set(Object.keys(readScripts(text)));
  return (name) => scripts.has(name);
}

function readScripts(text: string): object {
  try {
    const {scripts} = JSON.parse(text) as {readonly scripts?: unknown};
    return typeof scripts === 'object' && scripts !== null ? scripts : {};
  } catch {
    // An invalid package.json has no scripts. npm will report it.
    return {};
  }
}

function hasTarget(text: string): (name: string) => boolean {
  const targets = new Set([...text.matchAll(/^([A-Za-z0-9_.-]+)\s*:(?!=)/gm)].map(([, name]) => name));
  return (name) => targets.has(name);
}

/** A hidden file counts as missing. */
async function readIfGranted(fs: ScopedFileSystem, path: string): Promise<string> {
  try {
    return await fs.readText(path);
  } catch (error) {
    if (isToolError(error)) return '';
    throw error;
  }
}

function yamlOf(preset: GatePreset, commands: DetectedPreset['commands']): string {
  const missing = Object.keys(gatePresets[preset]).filter((name) => !(name in commands));
  const lines = ['software_delivery:', '  gates:', `    preset: ${preset}`];
  if (missing.length > 0) lines.push('    commands:', ...missing.map((name) => `      ${name}: false`));
  return `${lines.join('\n')}\n`;
}
