// The text of a request for review: what and why, the acceptance, and the evidence.
import type {Gate} from '../gates/plan-gates.ts';
import type {Gated} from '../done/merge-gated.ts';
import {specPath} from '../work-units/spec-place.ts';
import type {PackConfig} from '../pack-config.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';

export interface RequestParts {
  readonly spec: WuSpec;
  readonly gated: Pick<Gated, 'head' | 'onto' | 'tree_hash' | 'receipt_id'>;
  /** The configured gates, which have passed. */
  readonly gates: readonly Gate[];
  readonly config: PackConfig;
}

export interface RequestText {
  readonly title: string;
  /** Markdown. */
  readonly body: string;
}

export function requestText({spec, gated, gates, config}: RequestParts): RequestText {
  const {id, title, type, priority, acceptance, description} = spec;
  const passed = gates.filter(({optional}) => !optional).map(({name}) => `- [x] \`${name}\` passed`);
  const body = [
    description.trim(),
    `## Acceptance\n\n${acceptance.map((each) => `- [ ] ${each.replaceAll('\n', '\n  ')}`).join('\n')}`,
    ...(passed.length > 0 ? [`## Gates\n\n${passed.join('\n')}`] : []),
    [
      '## Evidence\n',
      `- Work unit: ${id} (${type}, ${priority}), \`${specPath(config, id)}\``,
      `- Commit: ${gated.head}, checked on top of ${gated.onto}`,
      `- Tree: ${gated.tree_hash}`,
      `- Receipt of the gates: ${gated.receipt_id}`,
    ].join('\n'),
  ];
  return {title: `${id}: ${title}`, body: `${body.join('\n\n')}\n`};
}
