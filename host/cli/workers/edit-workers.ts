// Edits the workers of workspace.yaml. A key that a worker no longer has moves to
// `former_keys`, so that what it attested until then stays valid.
import type {RemoteOptions, RemoteWorker} from '@lumenflow/schemas';
import {isSeq, parseDocument, type Document} from 'yaml';
import {editYaml} from '../../text/edit-yaml.ts';

const place = ['security', 'sandbox', 'backends', 'remote'];

/** Of no use without TLS. */
const ofTls = ['ca', 'client_cert', 'client_key'];

/** Adds a worker, or replaces the one with its name. `now` is an ISO 8601 timestamp. */
export function withWorker(text: string, worker: RemoteWorker, now: string): string {
  return editYaml(text, (document) => setWorker(document, worker, now));
}

function setWorker(document: Document, worker: RemoteWorker, now: string): void {
  const {workers, former_keys = []} = optionsIn(document);
  const index = workers.findIndex(({name}) => name === worker.name);
  const before = workers[index];
  if (before === undefined) add(document, 'workers', worker);
  else {
    for (const [key, value] of Object.entries(worker)) document.setIn([...place, 'workers', index, key], value);
    if (worker.url.startsWith('http:')) for (const key of ofTls) document.deleteIn([...place, 'workers', index, key]);
    if (before.key !== worker.key) add(document, 'former_keys', {key: before.key, until: now});
  }
  const reused = former_keys.findIndex(({key}) => key === worker.key);
  if (reused !== -1) document.deleteIn([...place, 'former_keys', reused]);
}

/** Undefined if there is no worker with this name. `until`: when its key becomes a former one; undefined: its key was never valid. */
export function withoutWorker(text: string, name: string, until: string | undefined): string | undefined {
  const {workers} = optionsIn(parseDocument(text));
  const index = workers.findIndex((worker) => worker.name === name);
  const worker = workers[index];
  if (worker === undefined) return undefined;
  return editYaml(text, (document) => {
    document.deleteIn([...place, 'workers', index]);
    if (until !== undefined) add(document, 'former_keys', {key: worker.key, until});
  });
}

function optionsIn(document: Document): RemoteOptions {
  const found = document.getIn(place, true);
  const options = found === undefined ? undefined : (document.toJS() as WorkspacePart).security.sandbox.backends.remote;
  return {...options, workers: options?.workers ?? []};
}

interface WorkspacePart {
  readonly security: {readonly sandbox: {readonly backends: {readonly remote: Partial<RemoteOptions> | null}}};
}

function add(document: Document, list: 'workers' | 'former_keys', item: object): void {
  const node = document.createNode(item);
  const listed = document.getIn([...place, list], true);
  if (!isSeq(listed)) return document.setIn([...place, list], document.createNode([node]));
  // An empty list is written as `[]`.
  if (listed.items.length === 0) listed.flow = false;
  listed.add(node);
}
