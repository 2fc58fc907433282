// Makes one attempt of an attack, and returns its report.
import type {ToolContext} from '@lumenflow/pack-sdk';
import type {Attack, Setting} from './attack.ts';

export interface AttemptOrder {
  /** group/name */
  readonly attack: string;
  /** Which of its attempts. */
  readonly step: number;
  readonly setting: Setting;
}

export async function makeAttempt(
  attacks: readonly Attack[],
  {attack, step, setting}: AttemptOrder,
  context: ToolContext,
): Promise<{said: string}> {
  const attempt = attacks.find(({name}) => attack.endsWith(`/${name}`))?.attempts[step];
  if (attempt === undefined) throw new Error(`there is no attempt ${step} of \`${attack}\``);
  // However this call ends: the attempt was made.
  await context.progress({begun: attack});
  try {
    return {said: await attempt(setting, context)};
  } catch (error) {
    return {said: String(error)};
  }
}
