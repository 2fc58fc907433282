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
    const commands = await presentCommands(fs, {preset, file: because, names});
    found.push({preset, because, commands, yaml: yamlOf(preset, commands)});
  }
  return found;
}

async function presentCommands(
  fs: ScopedFileSystem,
  {preset, file, names}: {readonly preset: GatePreset; readonly file: string; readonly names: readonly string[]},
): Promise<DetectedPreset['commands']> {
  const all = Object.entries(gatePresets[preset]);
  if (preset === 'python') return await pythonCommands(fs, names, all);
  if (preset !== 'node' && preset !== 'make') return Object.fromEntries(all);
  const text = await readIfGranted(fs, file);
  const has = preset === 'node' ? hasScript(text) : hasTarget(text);
  const present = all.filter(([, command]) => has(command.slice(command.lastIndexOf(' ') + 1)));
  const manager = preset === 'node' ? packageManager(text, names) : 'npm';
  return Object.fromEntries(present.map(([gate, command]) => [gate, command.replace(/^npm /u, `${manager} `)]));
}

const lockFiles: readonly (readonly [string, RegExp])[] = [
  ['pnpm', /^pnpm-lock\.yaml$/],
  ['yarn', /^yarn\.lock$/],
  ['bun', /^bun\.lockb?$/],
];

/** Corepack's field decides, then the lock file. */
function packageManager(text: string, names: readonly string[]): string {
  const named = /"packageManager"\s*:\s*"(pnpm|yarn|bun)@/u.exec(text)?.[1];
  // `bun test` is bun's own test runner, not the script.
  const found = named ?? lockFiles.find(([, file]) => names.some((name) => file.test(name)))?.[0] ?? 'npm';
  return found === 'bun' ? 'bun run' : found;
}

const pythonFiles = /^(?:pyproject\.toml|setup\.cfg|tox\.ini|requirements.*\.txt)$/u;
/** Files of a program's own at the root, by the program. */
const pythonMarkers: Readonly<Record<string, RegExp>> = {
  ruff: /^\.?ruff\.toml$/u,
  mypy: /^\.?mypy\.ini$/u,
  pytest: /^(?:pytest\.ini|conftest\.py|tests?|test_.*\.py)$/u,
};

/** Those whose program the project configures or requires. */
async function pythonCommands(
  fs: ScopedFileSystem,
  names: readonly string[],
  all: readonly (readonly [string, string])[],
): Promise<DetectedPreset['commands']> {
  const texts: string[] = [];
  for (const name of names) if (pythonFiles.test(name)) texts.push(await readIfGranted(fs, name));
  const uses = (program: string): boolean =>
    new RegExp(`\\b${program}\\b`, 'u').test(texts.join('\n')) ||
    names.some((name) => pythonMarkers[program]?.test(name));
  return Object.fromEntries(
    all.filter(([, command]) =>
      Object.keys(pythonMarkers).some((program) => command.includes(program) && uses(program)),
    ),
  );
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
  const changed = Object.entries(gatePresets[preset]).flatMap(([gate, usual]) => {
    const command = commands[gate];
    return command === usual ? [] : [`      ${gate}: ${command ?? 'false'}`];
  });
  const lines = ['software_delivery:', '  gates:', `    preset: ${preset}`];
  if (changed.length > 0) lines.push('    commands:', ...changed);
  return `${lines.join('\n')}\n`;
}
