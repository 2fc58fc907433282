import {failed, ok, type Outcome} from '../outcome.ts';

/** How far a clock may be ahead, in seconds. */
const aheadMax = 30;

/** `created` in seconds; `now` in milliseconds. */
export function checkCreated(created: number, now: number): Outcome<true> {
  const ahead = created - Math.floor(now / 1000);
  if (ahead <= aheadMax) return ok(true);
  const message = `the signature is from ${ahead} s in the future: the clock that signed it differs from this one, ${new Date(now).toISOString()}`;
  return failed({message, help: 'set the clocks of both machines, for example with NTP'});
}
