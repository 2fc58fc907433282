// The texts of all work units, for search: title, description, acceptance, labels and comments.
import type {Slice} from '../events/slice.ts';
import type {WuEvent} from '../work-units/wu-event.ts';
import type {WuSpec} from '../work-units/wu-spec.ts';

export interface UnitText {
  readonly id: string;
  readonly created_at: string;
  /** Title and labels, which count more. */
  tags: readonly string[];
  /** Title, description and acceptance. */
  spec: string;
  readonly comments: string[];
}

/** By id. */
export type UnitTexts = Record<string, UnitText>;

export const unitTexts: Slice<UnitTexts, WuEvent> = {
  name: 'unit-texts',
  version: 1,
  initial: {},
  evolve(texts, event) {
    const known = texts[event.id];
    if (event.type === 'wu_created') {
      const {id, at, spec} = event;
      texts[id] = {id, created_at: at, comments: [], ...specText(spec)};
    } else if (known === undefined) return texts;
    else if (event.type === 'wu_deleted') delete texts[event.id];
    else if (event.type === 'wu_edited') Object.assign(known, specText(event.spec));
    else if (event.type === 'wu_commented') known.comments.push(event.text);
    return texts;
  },
};

function specText({id, title, description, acceptance, labels = []}: WuSpec): Pick<UnitText, 'tags' | 'spec'> {
  return {tags: [id, title, ...labels], spec: [title, description, ...acceptance].join('\n')};
}
