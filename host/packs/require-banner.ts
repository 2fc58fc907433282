// What gives CommonJS code in a bundle its `require`. Importing `node:module` takes about as long as all else that is loaded for a
// small handler, and a cold call waits for it, so a module that does not mention `require` does not get it.

export const requireBanner =
  "import {createRequire as lumenflowCreateRequire} from 'node:module';const require = lumenflowCreateRequire(import.meta.url);";

/** The lines stay as they are, since source maps count them. */
export function withoutUnusedRequire(module: Uint8Array): Uint8Array {
  const text = Buffer.from(module.buffer, module.byteOffset, module.byteLength);
  const end = requireBanner.length;
  const isUnused = text.subarray(0, end).equals(Buffer.from(requireBanner)) && text.indexOf('require', end) === -1;
  return isUnused ? module.subarray(end) : module;
}
