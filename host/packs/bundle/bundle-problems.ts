// Converts esbuild's messages to problems at the author's positions: a wrapper's line maps to a line of the manifest.
import type {Problem} from '@lumenflow/kernel';
import type {BuildFailure, Message} from 'esbuild';
import {boundaryPlugin} from './bundle-plugin.ts';
import type {BundleRequest, PackEntry, Wrappers} from './bundle-request.ts';

export function isBuildFailure(error: unknown): error is BuildFailure {
  return error instanceof Error && 'errors' in error && 'warnings' in error;
}

export function bundleProblems(
  request: BundleRequest,
  wrappers: Wrappers,
  result: Pick<BuildFailure, 'errors' | 'warnings'>,
): readonly Problem[] {
  const computed = result.warnings.filter(({id}) => id.startsWith('unsupported-'));
  return [
    ...result.errors.map((message) => describe(request, wrappers, message)),
    ...computed.filter((message) => isOwn(message)).map((message) => computedImport(request, message)),
  ];
}

function describe(request: BundleRequest, wrappers: Wrappers, message: Message): Problem {
  const entry = wrapperEntry(wrappers, message);
  if (entry) return missingExport(request, entry, message);
  const forbidden = message.pluginName === boundaryPlugin;
  const [, missing = ''] = /^Could not resolve "((?:@[^/"]+\/)?[^/."][^/"]*)/u.exec(message.text) ?? [];
  return {
    code: forbidden ? 'PACK_IMPORT_FORBIDDEN' : 'PACK_CODE_INVALID',
    severity: 'error',
    message: lowerFirst(message.text),
    where: placeOf(request, message),
    ...(forbidden
      ? {
          help: 'a pack imports its own files, `@lumenflow/pack-sdk`, and the dependencies that its package.json declares',
        }
      : {}),
    ...(request.dependencies.has(missing) && {help: helpForPackage(missing, message)}),
  };
}

const sdk = '@lumenflow/pack-sdk';

function helpForPackage(name: string, {notes}: Message): string {
  // The host brings the SDK.
  const isInstalled = name === sdk || notes.some(({text}) => text.includes('is not exported by package'));
  return isInstalled
    ? `\`${name}\` has no such entry: \`exports\` in its package.json lists those that it has`
    : 'package.json declares it, but it is not installed: run `npm install`';
}

function wrapperEntry(wrappers: Wrappers, message: Message): PackEntry | undefined {
  const {location} = message;
  if (!location?.file.startsWith('wrapper:')) return undefined;
  return wrappers.get(location.file.slice('wrapper:'.length))?.entries[location.line - 1];
}

function missingExport(request: BundleRequest, entry: PackEntry, message: Message): Problem {
  const isMissing = /^No matching export|will always be undefined/u.test(message.text);
  return isMissing
    ? exportMissing(request, entry)
    : {...exportMissing(request, entry), message: lowerFirst(message.text)};
}

export function exportMissing(request: BundleRequest, entry: PackEntry): Problem {
  return {
    code: 'PACK_EXPORT_MISSING',
    severity: 'error',
    message: `\`${request.display(entry.file)}\` does not export \`${entry.exportName}\``,
    where: entry.where,
    help: `write \`export const ${entry.exportName} = …\` (in CommonJS \`exports.${entry.exportName} = …\`), or name another export`,
  };
}

function computedImport(request: BundleRequest, message: Message): Problem {
  return {
    code: 'PACK_IMPORT_COMPUTED',
    severity: 'warning',
    message:
      'LumenFlow cannot check an import with a computed path, and the import finds no file of the pack at run time',
    where: placeOf(request, message),
    help: 'import by a literal path',
  };
}

function isOwn(message: Message): boolean {
  const file = message.location?.file ?? '';
  return !file.startsWith('../') && !file.split('/').includes('node_modules');
}

function placeOf(request: BundleRequest, message: Message): string {
  const {location} = message;
  if (!location) return request.display('manifest.yaml');
  const column = Buffer.from(location.lineText).subarray(0, location.column).toString().length + 1;
  return `${request.display(location.file)}:${location.line}:${column}`;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
