import {expect, test} from 'vitest';
import type {DeliveryEvent} from '../events/delivery-event.ts';
import type {Slice} from '../events/slice.ts';
import {searchNodes} from '../memory/search-nodes.ts';
import {claimed, completed, created, stamp} from '../work-units/work-unit-events.fixture.ts';
import {unitHistory} from './unit-history.ts';
import {unitTexts} from './unit-texts.ts';

const events: readonly DeliveryEvent[] = [
  created(1, {labels: ['rooms'], description: 'People meet in rooms, and a list of rooms is what they need first.'}),
  created(2, {title: 'Windows'}),
  {type: 'wu_assigned', ...stamp, actor: 'ada', id: 'WU-1', assignee: 'bob', due: null} as DeliveryEvent,
  claimed(1, 1),
  {type: 'wu_commented', ...stamp, actor: 'cem', id: 'WU-1', text: 'The façade is listed.'} as DeliveryEvent,
  {type: 'wu_commented', ...stamp, id: 'WU-2', text: 'Of glass.'} as DeliveryEvent,
  {
    type: 'gates_recorded',
    ...stamp,
    task_id: 'WU-1',
    passed: false,
    gates: [
      {name: 'lint', passed: false, optional: true},
      {name: 'test', passed: false},
    ],
  } as unknown as DeliveryEvent,
  {type: 'wu_of_a_later_version', ...stamp, id: 'WU-1'} as DeliveryEvent,
  {type: 'mem_created', ...stamp, id: 'mem-1'} as DeliveryEvent,
  completed(1),
];
const fold = <State, Event extends DeliveryEvent>({initial, evolve}: Slice<State, Event>): State =>
  events.reduce((state, event) => evolve(state, event as Event), structuredClone(initial));

test('the history says who did what', () => {
  expect(fold(unitHistory('WU-1')).map(({who, what}) => `${who} ${what}`)).toEqual([
    's1 created it in lane `core` with priority P2',
    'ada assigned it to bob, removed the due date',
    's1 claimed it, on branch `lane/core/wu-1`',
    'cem commented: The façade is listed.',
    's1 ran the gates: failed `test`',
    's1 completed it',
  ]);
});

test('a search covers specs and comments', () => {
  const texts = Object.values(fold(unitTexts)).map(({spec, comments, ...rest}) => ({
    ...rest,
    content: [spec, ...comments].join('\n'),
  }));
  const found = (query: string): readonly string[] => searchNodes(texts, query).hits.map(({node: {id}}) => id);
  expect([found('facade'), found('glass'), found('rooms'), found('works')]).toEqual([
    ['WU-1'],
    ['WU-2'],
    ['WU-1'],
    ['WU-2', 'WU-1'],
  ]);
});
