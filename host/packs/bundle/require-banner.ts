// Provides `require` for CommonJS code in a bundle. Importing `node:module` takes about as long as loading the rest of a small
// handler, and delays a cold call, so only modules that mention `require` import it.

export const requireBanner =
  "import {createRequire as lumenflowCreateRequire} from 'node:module';const require = lumenflowCreateRequire(import.meta.url);";

/** The number of lines does not change, because source maps count them. */
export function withoutUnusedRequire(module: Uint8Array): Uint8Array {
  const text = Buffer.from(module.buffer, module.byteOffset, module.byteLength);
  const end = requireBanner.length;
  const isUnused = text.subarray(0, end).equals(Buffer.from(requireBanner)) && text.indexOf('require', end) === -1;
  return isUnused ? module.subarray(end) : module;
}
