// Reads an OpenAPI document from a file of the workspace or from an address, and validates it against the specification.
import {failed, ok, type Outcome} from '@lumenflow/kernel';
import {tryCanonicalJson, type DocumentSource, type ServiceProblem} from '@lumenflow/kernel/adapters';
import type {PackPin} from '@lumenflow/schemas';
import {readFile} from 'node:fs/promises';
import {resolve} from 'node:path';
import {parse} from 'yaml';
import {nodeOf} from './openapi-document.ts';

const bytesMax = 64 * 1024 * 1024;
const fetchMs = 60_000;
const faultsMax = 5;
const redirectsMax = 5;

export async function readOpenapi(
  {document = ''}: PackPin,
  {workspaceRoot, signal}: DocumentSource,
): Promise<Outcome<unknown, ServiceProblem>> {
  const text =
    /^https?:/u.test(document) && URL.canParse(document)
      ? await fetchText(document, signal)
      : await readText(resolve(workspaceRoot, document), document);
  if (!text.ok) return text;
  const parsed = parseText(text.value, document);
  return parsed.ok ? await validated(parsed.value, document) : parsed;
}

async function fetchText(address: string, signal: AbortSignal): Promise<Outcome<string, ServiceProblem>> {
  const help = 'open the address in a browser; a downloaded document can be pinned as a file';
  const {username, password} = new URL(address);
  // Such an address would be part of workspace.yaml and of messages.
  if (username !== '' || password !== '') return failed({message: 'the address contains a user name', help});
  try {
    const either = AbortSignal.any([signal, AbortSignal.timeout(fetchMs)]);
    const response = await followed(address, either);
    if (response === 'insecure') return failed({message: `${address} redirects to http, without encryption`, help});
    if (!response.ok) return failed({message: `${address} returned ${response.status}`, help});
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > bytesMax) return failed({message: `${address} is larger than ${bytesMax} bytes`, help});
      chunks.push(chunk);
    }
    return ok(Buffer.concat(chunks).toString('utf8'));
  } catch (error) {
    const {message, cause} = error as Error;
    return failed({message: `${address} cannot be read: ${cause instanceof Error ? cause.message : message}`, help});
  }
}

/** What is read over https was never readable or changeable on the way. `insecure`: a redirect would change that. */
async function followed(address: string, signal: AbortSignal): Promise<Response | 'insecure'> {
  let url = new URL(address);
  for (let count = 0; ; count += 1) {
    const response = await fetch(url, {signal, redirect: 'manual'});
    const location = response.status >= 300 && response.status < 400 ? response.headers.get('location') : null;
    if (location === null || count >= redirectsMax) return response;
    await response.body?.cancel();
    const next = new URL(location, url);
    if (url.protocol === 'https:' && next.protocol !== 'https:') return 'insecure';
    url = next;
  }
}

async function readText(file: string, shown: string): Promise<Outcome<string, ServiceProblem>> {
  try {
    return ok(await readFile(file, 'utf8'));
  } catch (error) {
    const {code} = error as NodeJS.ErrnoException;
    const message = `the document \`${shown}\` cannot be read: ${String(code)}`;
    return failed({message, help: 'name a file relative to the workspace, or an https address'});
  }
}

function parseText(text: string, shown: string): Outcome<unknown, ServiceProblem> {
  try {
    const document = /^\s*\{/u.test(text) ? (JSON.parse(text) as unknown) : (parse(text) as unknown);
    // An alias in YAML can refer to the list or map that contains it.
    const written = tryCanonicalJson(document);
    if (written.ok) return ok(document);
    return failed({message: `\`${shown}\` cannot be used: ${written.problem.message}`, help: 'correct the document'});
  } catch (error) {
    const message = `\`${shown}\` is neither JSON nor YAML: ${error instanceof Error ? error.message : String(error)}`;
    return failed({message, help: 'name an OpenAPI document'});
  }
}

async function validated(document: unknown, shown: string): Promise<Outcome<unknown, ServiceProblem>> {
  const {openapi, swagger} = nodeOf(document);
  if (typeof openapi !== 'string' || !/^3\.\d/u.test(openapi)) {
    const found = swagger === undefined ? 'it has no `openapi: 3.x`' : `it is of version ${JSON.stringify(swagger)}`;
    return failed({
      message: `\`${shown}\` is not an OpenAPI 3 document: ${found}`,
      help: 'convert older documents first, for example with `npx swagger2openapi`',
    });
  }
  const {Validator} = await import('@seriousme/openapi-schema-validator');
  const {valid, errors} = await new Validator().validate(structuredClone(nodeOf(document)));
  if (valid) return ok(document);
  const faults = Array.isArray(errors)
    ? errors.map(({instancePath, message}) => `${instancePath || '/'} ${message ?? ''}`)
    : [String(errors)];
  const listed = [...new Set(faults)].slice(0, faultsMax).join('; ');
  return failed({message: `\`${shown}\` is not a valid OpenAPI document: ${listed}`, help: 'correct the document'});
}
