// With `brief.required`, a work unit can be completed only if its holder has read its brief.
import type {PolicyRule} from '@lumenflow/pack-sdk';
import type {PackConfig} from '../pack-config.ts';

export function briefRules(config: PackConfig): readonly PolicyRule[] {
  if (config?.brief?.required !== true) return [];
  return [
    {
      id: 'software-delivery.brief',
      trigger: 'on_completion',
      decision: 'deny',
      reason: 'the brief was not read: call `wu:brief` in the work unit, then complete it',
      when: ({evidence}) =>
        !(evidence ?? []).some(({tool_name: name, result}) => name === 'wu:brief' && result === 'success'),
    },
  ];
}
