import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {planWaves} from './plan-waves.ts';
import type {WavePlan, WaveQuestion, WaveUnit} from './wave-plan.ts';

const unit = (id: string, words: Partial<WaveUnit> = {}): WaveUnit => ({
  id,
  lane: 'core',
  priority: 'P2',
  status: 'ready',
  depends_on: [],
  overlaps: [],
  is_handed_out: false,
  ...words,
});

const plan = (units: readonly WaveUnit[], words: Partial<WaveQuestion> = {}): WavePlan =>
  planWaves({units, beside: [], done: new Set(), limits: new Map(), ...words});

const limit = (core: number): Pick<WaveQuestion, 'limits'> => ({limits: new Map([['core', core]])});

describe('planWaves', () => {
  it('puts each unit after its dependencies', () => {
    const units = [unit('WU-1'), unit('WU-2', {depends_on: ['WU-1']}), unit('WU-3', {depends_on: ['WU-9']})];
    expect(plan(units, {done: new Set(['WU-9'])})).toEqual({
      waves: [
        {wave: 1, wus: ['WU-1', 'WU-3']},
        {wave: 2, wus: ['WU-2']},
      ],
      deferred: [],
      critical_path: ['WU-1', 'WU-2'],
    });
  });

  it('respects lane limits: by priority, then by dependents, and reports waiting units', () => {
    const units = [
      unit('WU-1'),
      unit('WU-2', {depends_on: ['WU-3']}),
      unit('WU-3'),
      unit('WU-4', {priority: 'P0'}),
      unit('WU-10', {lane: 'docs'}),
    ];
    const full = {reason: 'lane_wip', message: 'the lane `core` has a limit of 1, and other work comes first'};
    expect(plan(units, limit(1))).toEqual({
      waves: [
        {wave: 1, wus: ['WU-4', 'WU-10']},
        {wave: 2, wus: ['WU-3']},
        {wave: 3, wus: ['WU-1']},
        {wave: 4, wus: ['WU-2']},
      ],
      deferred: [
        {wu: 'WU-1', ...full, wave: 3},
        {wu: 'WU-2', ...full, wave: 4},
        {wu: 'WU-3', ...full, wave: 2},
      ],
      critical_path: ['WU-3', 'WU-2'],
    });
  });

  it('separates units that may change the same files', () => {
    const meets = (id: string, other: string): WaveUnit => unit(id, {overlaps: [other]});
    expect(plan([meets('WU-1', 'WU-2'), meets('WU-2', 'WU-1')])).toMatchObject({
      waves: [
        {wave: 1, wus: ['WU-1']},
        {wave: 2, wus: ['WU-2']},
      ],
      deferred: [{wu: 'WU-2', reason: 'overlap', wave: 2, waits_for: ['WU-1']}],
    });
    const beside = (status: WaveUnit['status']): Partial<WaveQuestion> => ({beside: [unit('WU-9', {status})]});
    expect(plan([meets('WU-1', 'WU-9')], beside('in_progress')).waves).toEqual([{wave: 2, wus: ['WU-1']}]);
    expect(plan([meets('WU-1', 'WU-9')], beside('blocked'))).toMatchObject({
      waves: [],
      deferred: [{wu: 'WU-1', reason: 'overlap', waits_for: ['WU-9']}],
    });
  });

  it('counts active work in the first wave, and blocked work in all waves', () => {
    const busy = [unit('WU-1', {status: 'in_progress'}), unit('WU-2', {depends_on: ['WU-1']})];
    expect(plan(busy, limit(1)).waves).toEqual([
      {wave: 1, wus: ['WU-1']},
      {wave: 2, wus: ['WU-2']},
    ]);
    const beside = (status: WaveUnit['status']): Partial<WaveQuestion> => ({
      ...limit(1),
      beside: [unit('WU-9', {status})],
    });
    expect(plan([unit('WU-2')], beside('in_progress')).waves).toEqual([{wave: 2, wus: ['WU-2']}]);
    expect(plan([unit('WU-2')], beside('blocked'))).toMatchObject({
      waves: [],
      deferred: [{wu: 'WU-2', reason: 'lane_wip', waits_for: ['WU-9']}],
    });
  });

  it('omits blocked units and their dependents, unplanned dependencies and cycles', () => {
    const {waves, deferred} = plan([
      unit('WU-1', {status: 'blocked'}),
      unit('WU-2', {depends_on: ['WU-1']}),
      unit('WU-3', {depends_on: ['WU-2', 'WU-7']}),
      unit('WU-4', {depends_on: ['WU-99']}),
      unit('WU-5', {depends_on: ['WU-6']}),
      unit('WU-6', {depends_on: ['WU-5']}),
      unit('WU-7', {status: 'done'}),
    ]);
    expect(waves).toEqual([]);
    expect(deferred.map(({wu, reason, waits_for: waitsFor}) => [wu, reason, waitsFor])).toEqual([
      ['WU-1', 'blocked', undefined],
      ['WU-2', 'dependency', ['WU-1']],
      ['WU-3', 'dependency', ['WU-2']],
      ['WU-4', 'dependency', ['WU-99']],
      ['WU-5', 'dependency', ['WU-6']],
      ['WU-6', 'dependency', ['WU-5']],
    ]);
  });

  it('keeps the place of delegated units', () => {
    const units = [unit('WU-1', {priority: 'P0'}), unit('WU-2', {is_handed_out: true})];
    expect(plan(units, limit(1)).waves[0]).toEqual({wave: 1, wus: ['WU-2']});
  });

  it('measures a chain that exceeds the call stack', () => {
    const chain = Array.from({length: 20_000}, (_, index) =>
      unit(`WU-${index}`, {depends_on: index === 0 ? [] : [`WU-${index - 1}`], status: 'blocked'}),
    );
    expect(plan(chain).critical_path).toHaveLength(20_000);
  });
});

/** Units that depend only on earlier ones, in lanes of which one has no limit. Some of them are outside the plan. */
const question: fc.Arbitrary<WaveQuestion> = fc
  .record({
    drawn: fc.array(
      fc.record({
        lane: fc.constantFrom('a', 'b', 'c'),
        priority: fc.constantFrom('P0' as const, 'P1' as const, 'P3' as const),
        status: fc.constantFrom<WaveUnit['status']>('ready', 'ready', 'ready', 'in_progress', 'blocked', 'done'),
        depends_on: fc.array(fc.nat(), {maxLength: 3}),
        isBeside: fc.boolean(),
      }),
      {maxLength: 14},
    ),
    overlaps: fc.array(fc.tuple(fc.nat({max: 13}), fc.nat({max: 13})), {maxLength: 4}),
    limits: fc.tuple(fc.integer({min: 1, max: 3}), fc.integer({min: 1, max: 3})),
  })
  .map(({drawn, overlaps, limits: [a, b]}) => {
    const all = drawn.map(({isBeside, ...words}, index) => ({
      ...words,
      isBeside: isBeside && (words.status === 'in_progress' || words.status === 'blocked'),
      id: `WU-${index}`,
      is_handed_out: index % 3 === 0,
      depends_on: index === 0 ? [] : [...new Set(words.depends_on.map((number) => `WU-${number % index}`))],
      overlaps: overlaps.flatMap(([one, other]) =>
        one === index ? [`WU-${other}`] : other === index ? [`WU-${one}`] : [],
      ),
    }));
    return {
      units: all.filter(({isBeside}) => !isBeside),
      beside: all.filter(({isBeside}) => isBeside),
      done: new Set<string>(),
      limits: new Map([
        ['a', a],
        ['b', b],
      ]),
    };
  });

const wavesById = ({waves}: WavePlan): ReadonlyMap<string, number> =>
  new Map(waves.flatMap(({wave, wus}) => wus.map((id) => [id, wave])));

describe('any plan', () => {
  it('has every open unit once: in a wave, or omitted with a reason', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const {waves, deferred} = planWaves(asked);
        const inWaves = waves.flatMap(({wus}) => wus);
        const leftOut = deferred.filter(({wave}) => wave === undefined).map(({wu}) => wu);
        const open = asked.units.filter(({status}) => status !== 'done').map(({id}) => id);
        expect([...inWaves, ...leftOut].toSorted()).toEqual(open.toSorted());
      }),
    );
  });

  it('violates no dependency, limit or overlap, and starts nothing later than possible', () => {
    fc.assert(
      fc.property(question, (asked) => {
        const waveOf = wavesById(planWaves(asked));
        const all = [...asked.units, ...asked.beside];
        const ready = asked.units.filter(({status}) => status === 'ready');
        const running = (wave: number): readonly WaveUnit[] =>
          all.filter(
            ({id, status}) =>
              status === 'blocked' ||
              (status === 'in_progress' && wave === 1) ||
              (status === 'ready' && waveOf.get(id) === wave),
          );
        const doneAfter = (id: string): number => {
          const found = asked.units.find((each) => each.id === id);
          return found?.status === 'done' ? 0 : (waveOf.get(id) ?? Infinity);
        };
        for (const each of ready) {
          const others = (wave: number): readonly WaveUnit[] => running(wave).filter(({id}) => id !== each.id);
          const hasRoom = (wave: number): boolean =>
            others(wave).filter(({lane}) => lane === each.lane).length < (asked.limits.get(each.lane) ?? Infinity) &&
            !others(wave).some(({id}) => each.overlaps.includes(id));
          const from = 1 + Math.max(0, ...each.depends_on.map(doneAfter));
          const wave = waveOf.get(each.id) ?? Infinity;
          expect(wave).toBeGreaterThanOrEqual(from);
          if (wave !== Infinity) expect(hasRoom(wave)).toBe(true);
          for (let earlier = from; earlier < Math.min(wave, all.length + 3); earlier++) {
            expect(hasRoom(earlier)).toBe(false);
          }
        }
      }),
    );
  });

  it('has as many waves as the longest chain if nothing is limited, blocked or active', () => {
    fc.assert(
      fc.property(question, ({units: drawn}) => {
        const known = new Set(drawn.map(({id}) => id));
        const units = drawn.map((each) => ({
          ...each,
          status: 'ready' as const,
          overlaps: [],
          depends_on: each.depends_on.filter((id) => known.has(id)),
        }));
        const byId = new Map(units.map((each) => [each.id, each]));
        const depth = (id: string): number => 1 + Math.max(0, ...(byId.get(id)?.depends_on ?? []).map(depth));
        const longest = Math.max(0, ...units.map(({id}) => depth(id)));
        const {waves, critical_path: path} = plan(units);
        expect(waves.map(({wave}) => wave)).toEqual(Array.from({length: longest}, (_, index) => index + 1));
        expect(path).toHaveLength(longest);
        for (const [index, id] of path.entries()) {
          const next = path[index + 1];
          if (next !== undefined) expect(byId.get(next)?.depends_on).toContain(id);
        }
      }),
    );
  });

  it('does not depend on the order of the units', () => {
    const shuffled = question.chain((asked) =>
      fc
        .shuffledSubarray([...asked.units], {minLength: asked.units.length})
        .map((units) => [asked, {...asked, units}] as const),
    );
    fc.assert(
      fc.property(shuffled, ([asked, again]) => {
        expect(sorted(again)).toEqual(sorted(asked));
      }),
    );
  });
});

/** Active work has no order. */
function sorted(asked: WaveQuestion): unknown {
  const {waves, ...rest} = planWaves(asked);
  return {...rest, waves: waves.map(({wave, wus}) => [wave, wus.toSorted()])};
}
