// Finds a service's pack: it is generated from its pin and from the document that was read at installation.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import type {ServiceProblem} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {describeService} from './describe-service.ts';
import {manifestText} from '../manifest-text.ts';
import {serviceWords} from './service-words.ts';
import {documentDigest, documentName, readDocument, serviceFolder} from './service-document.ts';
import {loadServiceKind} from './service-kinds.ts';
import {writeServicePack} from './write-service-pack.ts';

export interface ResolvedService {
  /** Absolute. */
  readonly root: string;
  /** Names of its operations, in the manifest's order. */
  readonly operations: readonly string[];
}

/** `digest`: of the document in packs.lock; undefined before the first installation. */
export async function resolveService(
  pin: PackPin,
  {
    workspaceRoot,
    cacheFolder,
    digest,
  }: {
    readonly workspaceRoot: string;
    readonly cacheFolder: string;
    readonly digest: string | undefined;
  },
): Promise<Outcome<ResolvedService, ServiceProblem>> {
  const folder = serviceFolder(cacheFolder, pin);
  const document = await readDocument(folder);
  if (document === undefined || (digest !== undefined && digest !== documentDigest(document))) {
    return failed({
      message: `the pack \`${pin.id}\` is not installed: ${documentName(pin)} has not been read yet`,
      help: `run \`lumenflow pack install ${pin.id}\``,
    });
  }
  const kind = await loadServiceKind(pin, workspaceRoot);
  if (!kind.ok) return kind;
  const description = kind.value.describe(pin, document);
  if (!description.ok) return description;
  const described = describeService(pin, description.value);
  if (!described.ok) return described;
  const {operations, manifest} = described.value;
  const text = manifestText(manifest, serviceWords);
  if (!text.ok) return text;
  const root = await writeServicePack(folder, operations, text.value);
  return ok({root, operations: operations.map(({name}) => name)});
}
