// Reads workspace.yaml: its bytes' hash, its checked content, and every problem found, each at its place.
import {failed, ok, type Outcome, type Problem} from '@lumenflow/kernel';
import {describesItself} from '@lumenflow/kernel/adapters';
import type {WorkspaceSpec} from '@lumenflow/schemas';
import {validateWorkspace} from '@lumenflow/schemas/validators';
import {readFile} from 'node:fs/promises';
import {join} from 'node:path';
import {sha256Hex} from '../system/sha256.ts';
import type {SpecFile} from '../spec/spec-guard.ts';
import {parseYamlDocument, type YamlDocument} from '../yaml/parse-yaml-document.ts';
import {includePolicies} from './include-policies.ts';
import {readPolicyFiles} from './read-policy-files.ts';
import {witnessProblems} from './witness-problems.ts';

export interface WorkspaceRequest {
  /** Absolute path of the workspace. */
  readonly root: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A root key that is not workspace.yaml's own: it must be the config_key of a pack. */
export interface ExtraKey {
  readonly key: string;
  readonly value: unknown;
  readonly where: string;
}

export interface ReadWorkspace {
  /** With the rules of included files; sets in rules are replaced by their members. */
  readonly spec: WorkspaceSpec;
  /** SHA-256 of workspace.yaml, hex; with included files, of the lines that `sha256sum` prints for all of them. */
  readonly specHash: string;
  /** workspace.yaml, then the files that it includes. */
  readonly files: readonly SpecFile[];
  readonly extraKeys: readonly ExtraKey[];
  /** Warnings, and errors that do not prevent the other checks. */
  readonly problems: readonly Problem[];
  /** `workspace.yaml:line:column` of the value at a JSON pointer, or of its key. */
  locate(pointer: string, part?: 'key'): string;
}

const fileName = 'workspace.yaml';
/** The root keys that workspace.yaml has itself. */
export const workspaceKeys: ReadonlySet<string> = new Set([
  'id',
  'name',
  'packs',
  'lanes',
  'security',
  'sign_in',
  'policies',
  'approvals',
  'evidence',
  'state',
  'archive',
  'retention',
  'engine',
]);

/** The problem is the list of all that prevents reading it. */
export async function readWorkspace(request: WorkspaceRequest): Promise<Outcome<ReadWorkspace, readonly Problem[]>> {
  const file = join(request.root, fileName);
  const bytes = await readBytes(file);
  if (!bytes.ok) return failed([bytes.problem]);
  const text = decode(bytes.value);
  if (text === undefined) {
    return failed([fileProblem('WORKSPACE_INVALID', 'the file is not UTF-8 text', 'save it as UTF-8')]);
  }

  const document = parseYamlDocument({text, file: fileName, validate: validateWorkspace, code: 'WORKSPACE_INVALID'});
  if (document.problems.length > 0) return failed(document.problems);
  const written = document.value as WorkspaceSpec;
  const locateName = (index: number): string => document.locate(`/policies/include/${index}`);
  const included = await readPolicyFiles(request.root, written.policies?.include ?? [], locateName);
  if (!included.ok) return failed(included.problem);
  const {spec, locate, problems} = includePolicies(written, document, included.value);
  const names = [{name: fileName, hash: sha256Hex(bytes.value)}, ...included.value];
  return ok({
    spec,
    specHash: specHashOf(names),
    files: names.map(({name, hash}) => ({path: join(request.root, name), hash})),
    extraKeys: extraKeysOf(spec, document),
    problems: [
      ...problems,
      ...repeatedIds(spec, document),
      ...devPins(spec, document, request.env['NODE_ENV']),
      ...allowAll(spec, locate, request.env['NODE_ENV']),
      ...missingKey(spec, document, request.env),
      ...witnessProblems(spec, locate),
    ],
    locate,
  });
}

function specHashOf(names: readonly {readonly name: string; readonly hash: string}[]): string {
  const [only] = names;
  if (only !== undefined && names.length === 1) return only.hash;
  return sha256Hex(names.map(({name, hash}) => `${hash}  ${name}\n`).join(''));
}

async function readBytes(file: string): Promise<Outcome<Uint8Array>> {
  try {
    return ok(await readFile(file));
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    return failed(
      code === 'ENOENT'
        ? fileProblem(
            'WORKSPACE_NOT_FOUND',
            `there is no workspace here: \`${file}\` does not exist`,
            'run `lumenflow init` to make one, or name another folder',
          )
        : fileProblem(
            'WORKSPACE_UNREADABLE',
            `the file cannot be read: ${String(code)}`,
            'make it a file that the user of this process can read',
          ),
    );
  }
}

function decode(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', {fatal: true}).decode(bytes);
  } catch {
    // The only thing that throws here is text that is not UTF-8.
    return undefined;
  }
}

function repeatedIds(spec: WorkspaceSpec, document: YamlDocument): readonly Problem[] {
  return (['packs', 'lanes'] as const).flatMap((list) => {
    const seen = new Map<string, string>();
    return spec[list].flatMap(({id}, index): Problem[] => {
      const pointer = `/${list}/${index}/id`;
      const where = document.locate(pointer);
      const first = seen.get(id);
      if (first === undefined) seen.set(id, where);
      if (first === undefined) return [];
      const message = `the ${list === 'packs' ? 'pack' : 'lane'} id \`${id}\` is already used at ${first}`;
      return [{code: 'WORKSPACE_INVALID', severity: 'error', message, where, pointer, help: 'give it another id'}];
    });
  });
}

function devPins(spec: WorkspaceSpec, document: YamlDocument, nodeEnv: string | undefined): readonly Problem[] {
  return spec.packs.flatMap((pin, index): Problem[] => {
    // What such a pack is, the lock says.
    if (pin.integrity !== 'dev' || describesItself(pin)) return [];
    const pointer = `/packs/${index}/integrity`;
    const production = nodeEnv === 'production';
    return [
      {
        code: 'PACK_NOT_PINNED',
        severity: production ? 'error' : 'warning',
        message: production
          ? `the pack \`${pin.id}\` is not pinned, which NODE_ENV=production refuses`
          : `the pack \`${pin.id}\` is not pinned: any change to its files is loaded`,
        where: document.locate(pointer),
        pointer,
        help: `pin it with the hash that \`lumenflow pack hash ${pin.id}\` prints`,
      },
    ];
  });
}

/** The check of policies reports its warning. */
function allowAll(
  {policies}: WorkspaceSpec,
  locate: ReadWorkspace['locate'],
  nodeEnv: string | undefined,
): readonly Problem[] {
  const index = policies?.rules?.findIndex(({id}) => id === 'kernel.policy.allow-all') ?? -1;
  if (index === -1 || nodeEnv !== 'production') return [];
  const pointer = `/policies/rules/${index}/id`;
  return [
    {
      code: 'POLICY_ALLOW_ALL',
      severity: 'error',
      message: 'rule `kernel.policy.allow-all` is for development only, and NODE_ENV=production rejects it',
      where: locate(pointer),
      pointer,
      help: 'remove it, or write rules that allow the calls that you need',
    },
  ];
}

function missingKey(spec: WorkspaceSpec, document: YamlDocument, env: WorkspaceRequest['env']): readonly Problem[] {
  const name = spec.evidence?.checkpoint_key_env;
  if (name === undefined || env[name] !== undefined) return [];
  const pointer = '/evidence/checkpoint_key_env';
  return [
    {
      code: 'EVIDENCE_KEY_MISSING',
      severity: 'error',
      message: `\`${name}\` is not in the environment, so that checkpoints cannot be signed with its key`,
      where: document.locate(pointer),
      pointer,
      help: `set \`${name}\` to the base64 of a PKCS #8 Ed25519 private key, or remove \`checkpoint_key_env\` to sign with the workspace's own key`,
    },
  ];
}

function extraKeysOf(spec: WorkspaceSpec, document: YamlDocument): readonly ExtraKey[] {
  return Object.entries(spec)
    .filter(([key]) => !workspaceKeys.has(key))
    .map(([key, value]) => ({
      key,
      value,
      where: document.locate(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`),
    }));
}

function fileProblem(code: string, message: string, help: string): Problem {
  return {code, severity: 'error', message, where: fileName, help};
}
