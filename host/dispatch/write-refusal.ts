// Why a call cannot write a path. What programs outside the sandbox obey can be written only under a scope that names it.
import type {Grant} from '@lumenflow/kernel';
import {compileMatcher} from '@lumenflow/kernel/adapters';
import {namesTrusted} from '@lumenflow/pack-sdk/trusted-paths';

type PathRefusal = NonNullable<ReturnType<Grant['whyNot']>>;

/** `trusted`: the path that outside programs obey and that `path` is, or lies in. */
export function writeRefusal(grant: Grant, path: string, trusted: string | undefined): PathRefusal | undefined {
  const closed = grant.whyNot(path, 'write');
  if (trusted === undefined) return closed;
  const help = `name \`${trusted}\` itself in one write scope; the other layers need only cover it`;
  // A scope would not open what an overlay or the runtime reserves.
  if (closed !== undefined) return closed.layer === undefined || grant.holes.cuts(path) ? closed : {...closed, help};
  const isNamed = grant.write.some(
    (pattern) => namesTrusted(pattern.segments.join('/'), trusted) && compileMatcher([pattern])(path),
  );
  const message = `\`${path}\` changes what programs outside the sandbox do, so a pattern that covers it is not enough`;
  return isNamed ? undefined : {path, access: 'write', message, help};
}
