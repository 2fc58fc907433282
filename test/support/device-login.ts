// `lumenflow login` in a workspace, confirmed by a person in another browser.
import {startProgram, type RunOptions} from './lumenflow-program.ts';
import type {TestIssuer} from './test-issuer.ts';

/** Returns what the command printed at its end. */
export async function deviceLogin(
  issuer: TestIssuer,
  options: RunOptions,
  subject: string,
): Promise<Record<string, unknown>> {
  const program = startProgram(['login', '--json'], options);
  let printed = '';
  for await (const chunk of program.stdout ?? []) {
    const before = printed;
    printed += String(chunk);
    if (before.includes('\n') || !printed.includes('\n')) continue;
    const {address} = JSON.parse(printed.slice(0, printed.indexOf('\n'))) as {readonly address: string};
    await issuer.confirmDevice(address, subject);
  }
  return JSON.parse(printed.slice(printed.indexOf('\n'))) as Record<string, unknown>;
}
