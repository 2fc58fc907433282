// The host's pack source: loads every pin of a workspace and checks constraints across packs.
import {
  failed,
  nearestName,
  ok,
  type LoadedPack,
  type Outcome,
  type PackRequest,
  type PackSource,
  type Problem,
} from '@lumenflow/kernel';
import {createSchemaCompiler, workspaceKeys} from '@lumenflow/kernel/node';
import type {PackPin} from '@lumenflow/schemas';
import {join} from 'node:path';
import type {Environment} from './apply-capabilities.ts';
import type {PackShipping} from './judge-integrity.ts';
import {loadPack, type PackLoad} from './load-pack.ts';
import {noLock, readLock, type ReadLock} from './lock/packs-lock.ts';
import type {PackLoader, PackSurroundings} from './pack-contents.ts';
import {keyProblems} from './signing/signature-problems.ts';

export interface PackSourceOptions {
  /** Absolute. */
  readonly workspaceRoot: string;
  readonly lumenflowVersion: string;
  /** For addresses that packs read from variables; default none. */
  readonly env?: Environment;
  /** The folder for built packs and installed repositories; default `.lumenflow/cache` of the workspace. */
  readonly cacheFolder?: string;
  /** Packs are checked without a workspace: a missing required config is a warning, and the pack's factories do not run. */
  readonly isWithoutConfigs?: boolean;
}

export interface HashedPack {
  /** `sha256:<hex>`, as in a pin. */
  readonly integrity: string;
  readonly shipping: PackShipping;
}

export interface HostPackSource extends PackSource {
  /** The current integrity of the pin's pack, or the problems that prevent its build. */
  hash(pin: PackPin): Promise<Outcome<HashedPack, readonly Problem[]>>;
  /** Loads each pin separately, whatever is wrong with the others. Nothing is kept running. */
  survey(request: PackRequest, lock?: ReadLock): Promise<readonly PackLoad[]>;
  /** Stops everything that a pack keeps running, after its last call: its `when` functions throw from then on. */
  release(pack: LoadedPack): void;
  /** Releases all packs. */
  close(): void;
}

export function createPackSource(options: PackSourceOptions): HostPackSource {
  const {workspaceRoot, lumenflowVersion} = options;
  const cacheFolder = options.cacheFolder ?? join(workspaceRoot, '.lumenflow', 'cache');
  const loader: PackLoader = {
    workspaceRoot,
    lumenflowVersion,
    cacheFolder,
    compiler: createSchemaCompiler(),
    env: options.env ?? {},
    isWithoutConfigs: options.isWithoutConfigs === true,
  };
  const lockOf = async (): Promise<ReadLock> => (loader.isWithoutConfigs ? noLock : await readLock(workspaceRoot));
  const running = new Map<LoadedPack, PackLoad>();
  const release = (pack: LoadedPack): void => {
    running.get(pack)?.end();
    running.delete(pack);
  };
  /** Its problems were reported when it was loaded. */
  const standing = (pin: PackPin, request: PackRequest): PackLoad | undefined => {
    const pack = request.standing?.find((candidate) => candidate.pin === pin);
    const load = pack && running.get(pack);
    return load && {...load, problems: []};
  };
  return {
    load: async (request) => {
      const lock = await lockOf();
      const surroundings: PackSurroundings = {...request, lock};
      const loads = await Promise.all(
        request.pins.map(
          async (pin, index) =>
            standing(pin, request) ?? (await loadPack(pin, `/packs/${index}`, surroundings, loader)),
        ),
      );
      const packs = loads.flatMap(({pack}) => pack ?? []);
      for (const load of loads) if (load.pack) running.set(load.pack, load);
      const found = [...lock.problems, ...keyProblems(request.security, request.locate)];
      const problems = [...found, ...loads.flatMap((load) => load.problems), ...checkTogether(loads, request)];
      return {packs, problems};
    },
    survey: async (request, given) => {
      const surroundings: PackSurroundings = {...request, lock: given ?? (await lockOf())};
      return await Promise.all(
        request.pins.map(async (pin, index) => {
          const load = await loadPack(pin, `/packs/${index}`, surroundings, loader);
          load.end();
          return load;
        }),
      );
    },
    hash: async (pin) => await hashOf(pin, {configs: {}, locate: () => 'workspace.yaml', lock: await lockOf()}, loader),
    release,
    close: () => {
      for (const pack of running.keys()) release(pack);
    },
  };
}

async function hashOf(
  pin: PackPin,
  surroundings: PackSurroundings,
  loader: PackLoader,
): Promise<Outcome<HashedPack, readonly Problem[]>> {
  const load = await loadPack(pin, '', surroundings, loader);
  load.end();
  const {integrity, shipping, problems} = load;
  return integrity === undefined || shipping === undefined ? failed(problems) : ok({integrity, shipping});
}

function checkTogether(loads: readonly PackLoad[], request: PackRequest): readonly Problem[] {
  return [...repeatedTools(loads), ...repeatedConfigKeys(loads), ...unknownConfigs(loads, request)];
}

interface Claim {
  readonly name: string;
  readonly pack: string;
  readonly where: string;
}

function repeatedTools(loads: readonly PackLoad[]): readonly Problem[] {
  const claims = loads.flatMap(({manifest, locate}): Claim[] =>
    (manifest?.tools ?? []).map(({name}, index) => ({
      name,
      pack: manifest?.id ?? '',
      where: locate?.(`/tools/${index}/name`) ?? '',
    })),
  );
  return clashes(claims, 'tool');
}

function repeatedConfigKeys(loads: readonly PackLoad[]): readonly Problem[] {
  const claims = loads.flatMap(({manifest, locate}): Claim[] =>
    manifest?.config_key === undefined
      ? []
      : [{name: manifest.config_key, pack: manifest.id, where: locate?.('/config_key') ?? ''}],
  );
  return clashes(claims, 'config_key');
}

/** Names that two packs claim. A name that one pack claims twice is reported when its manifest is read. */
function clashes(claims: readonly Claim[], what: 'tool' | 'config_key'): readonly Problem[] {
  const first = new Map<string, Claim>();
  return claims.flatMap((claim): Problem[] => {
    const other = first.get(claim.name);
    if (!other) first.set(claim.name, claim);
    if (!other || other.pack === claim.pack) return [];
    return [
      {
        code: what === 'tool' ? 'PACK_TOOL_DUPLICATE' : 'PACK_CONFIG_KEY_DUPLICATE',
        severity: 'error',
        message: `the ${what} \`${claim.name}\` of the pack \`${claim.pack}\` is declared by the pack \`${other.pack}\` too, at ${other.where}`,
        where: claim.where,
        help: 'remove one of the packs, or use versions of them that do not clash',
      },
    ];
  });
}

/** Reported only if all manifests could be read, because the key may belong to one that could not. */
function unknownConfigs(loads: readonly PackLoad[], request: PackRequest): readonly Problem[] {
  if (loads.some(({manifest}) => manifest === undefined)) return [];
  const keys = loads.flatMap(({manifest}) => manifest?.config_key ?? []);
  const candidates = [...keys, ...workspaceKeys];
  return Object.keys(request.configs)
    .filter((key) => !keys.includes(key))
    .map((key) => {
      const pointer = `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      const near = nearestName(key, candidates);
      return {
        code: 'WORKSPACE_INVALID',
        severity: 'error',
        message: `unknown key \`${key}\`: it is neither a key of workspace.yaml nor the config_key of a pack`,
        where: request.locate(pointer, 'key'),
        pointer,
        help: near === undefined ? `allowed here: ${candidates.toSorted().join(', ')}` : `did you mean \`${near}\`?`,
      };
    });
}
