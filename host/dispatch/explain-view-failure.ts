// Says why a program failed in a transactional call where it would not have failed in a direct one.
import type {ToolOutput} from '@lumenflow/schemas';

const causes: readonly (readonly [sign: RegExp, why: string])[] = [
  [
    /EXDEV|cross-device link/iu,
    'it leads to another file system, or renames a directory that existed before the call, which transactional calls cannot do unless the host runs as root: use `mv`, which copies, or let the tool write with `writes: direct`',
  ],
  [
    /EOVERFLOW|value too large for defined data type/iu,
    'a file or directory on the way belongs to another group or user, which transactional calls cannot write: give it the primary group of the user that runs the host, start the host with that group as its primary one (`newgrp`), or let the tool write with `writes: direct`',
  ],
  [
    /EROFS|read-only file system/iu,
    'the call may not write there: no write scope of the call covers it, it is protected, or it lies on a mount inside the workspace',
  ],
];

/** `logged`: what the call printed to its streams. */
export function explainViewFailure(output: ToolOutput, logged: string): ToolOutput {
  const {success, error} = output;
  if (success || error === undefined) return output;
  const text = `${error.message}\n${JSON.stringify(error.details ?? {})}\n${logged}`;
  const why = causes.find(([sign]) => sign.test(text))?.[1];
  return why === undefined ? output : {...output, error: {...error, message: `${error.message.trimEnd()} (${why})`}};
}
