// When a request is repeated. Time is a parameter, so that tests do not wait.
import {setTimeout as delay} from 'node:timers/promises';

export interface Pacing {
  /** Milliseconds of a clock that is never set. */
  now(): number;
  wait(ms: number): Promise<unknown>;
  /** Between 0 and 1: hosts that collided do not repeat at the same time. */
  random(): number;
}

export const realPacing: Pacing = {
  now: () => performance.now(),
  wait: delay,
  random: Math.random,
};

const firstMs = 100;
const lastMs = 5000;

/** Waits longer each time, up to five seconds. False once `untilMs` would be passed. */
export async function nextAttempt(attempt: number, untilMs: number, {now, wait, random}: Pacing): Promise<boolean> {
  const ms = Math.min(lastMs, firstMs * 2 ** Math.min(attempt, 10)) * (0.5 + random() / 2);
  if (now() + ms > untilMs) return false;
  await wait(ms);
  return true;
}
