import type {PolicyMatcher, TimeMatcher} from '@lumenflow/schemas';
import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {compilePolicyLayer, evaluatePolicy, ruleReach} from '../index.ts';
import {policyPorts as ports} from '../policy-ports.fixture.ts';
import {hourOfWeek, hoursOfWeek, isInWindow, parseTimeWindow, type TimeWindow} from '../time/time-window.ts';
import {createZones} from '../time/zones.ts';

const numRuns = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300) * 2;

function compile(when: PolicyMatcher) {
  return compilePolicyLayer({
    layer: 'workspace',
    default_decision: 'allow',
    rules: [{rule: {id: 'r', trigger: 'on_tool_request', decision: 'deny', when}, where: 'workspace.yaml:1:1'}],
    ports,
  });
}

function matchesAt(time: TimeMatcher, at: string): boolean {
  const {layer, problems} = compile({time});
  expect(problems).toEqual([]);
  const context = {trigger: 'on_tool_request' as const, run_id: 'run-1', at};
  return evaluatePolicy({layers: {workspace: layer}, allowLoosening: [], request: {context}}).decision === 'deny';
}

const berlin = 'Europe/Berlin';
const office: TimeMatcher = {zone: berlin, days: 'mon-fri', hours: '09:00-17:00'};
const night: TimeMatcher = {zone: berlin, days: ['fri'], hours: '22:00-06:00'};

test.each<[string, TimeMatcher, string, boolean]>([
  ['the first minute counts', office, '2026-11-27T09:00+01:00', true],
  ['the end does not count', office, '2026-11-27T17:00+01:00', false],
  ['the last second counts', office, '2026-11-27T16:59:59.999+01:00', true],
  ['the zone decides, not UTC', office, '2026-11-27T08:30Z', true],
  ['in summer, too', office, '2026-07-01T07:30Z', true],
  ['Saturday is not a weekday', office, '2026-11-28T10:00+01:00', false],
  ['a night begins on its day', night, '2026-11-27T23:00+01:00', true],
  ['and ends on the next', night, '2026-11-28T05:59+01:00', true],
  ['before the day, it is another night', night, '2026-11-27T05:00+01:00', false],
  ['after the day, too', night, '2026-11-28T22:30+01:00', false],
  ['a range of days over Sunday', {zone: 'UTC', days: 'sat-mon'}, '2026-11-30T12:00Z', true],
  ['and not beyond', {zone: 'UTC', days: 'sat-mon'}, '2026-12-01T12:00Z', false],
  ['until midnight', {zone: 'UTC', hours: '18:00-24:00'}, '2026-11-27T23:59Z', true],
  ['not after it', {zone: 'UTC', hours: '18:00-24:00'}, '2026-11-28T00:00Z', false],
  ['one of several ranges', {zone: 'UTC', hours: ['08:00-09:00', '12:00-13:00']}, '2026-11-28T12:30Z', true],
  ['a date', {zone: berlin, dates: '2026-12-24'}, '2026-12-23T23:30Z', true],
  ['another date', {zone: berlin, dates: '2026-12-24'}, '2026-12-24T23:30Z', false],
  ['a range includes its end', {zone: 'UTC', dates: '2026-12-24..2026-12-26'}, '2026-12-26T23:59Z', true],
  ['every year over its end', {zone: 'UTC', dates: '12-24..01-02'}, '2030-01-02T10:00Z', true],
  ['and not after it', {zone: 'UTC', dates: '12-24..01-02'}, '2030-01-03T10:00Z', false],
  ['a leap day', {zone: 'UTC', dates: '02-29'}, '2028-02-29T10:00Z', true],
  ['in another year', {zone: 'UTC', dates: '02-29'}, '2027-03-01T10:00Z', false],
  ['the night of a date', {zone: 'UTC', dates: '2026-12-31', hours: '22:00-04:00'}, '2027-01-01T03:00Z', true],
  // On 2026-03-29, clocks in Berlin go from 02:00 to 03:00; on 2026-10-25, from 03:00 to 02:00.
  ['a skipped hour never comes', {zone: berlin, hours: '02:00-03:00'}, '2026-03-29T01:00Z', false],
  ['the minute before it', {zone: berlin, hours: '01:59-02:00'}, '2026-03-29T00:59Z', true],
  ['a range over a skipped hour', {zone: berlin, hours: '01:00-04:00'}, '2026-03-29T01:00Z', true],
  ['a repeated hour counts first', {zone: berlin, hours: '02:00-03:00'}, '2026-10-25T00:30Z', true],
  ['and again', {zone: berlin, hours: '02:00-03:00'}, '2026-10-25T01:30Z', true],
  ['a zone with a part of an hour', {zone: 'Asia/Kathmandu', hours: '05:45-05:46'}, '2026-11-27T00:00Z', true],
])('%s: %j at %s', (_, time, at, expected) => {
  expect(matchesAt(time, at)).toBe(expected);
});

const zones = ['Europe/Berlin', 'America/St_Johns', 'Pacific/Apia', 'Australia/Lord_Howe', 'UTC'];
const names = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

const clocks = new Map(
  zones.map((zone) => [
    zone,
    new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      weekday: 'short',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    }),
  ]),
);

/** What a person reads from a clock and a calendar in the zone. */
function wallClock(zone: string, instant: number) {
  const format = clocks.get(zone)!;
  const parts = Object.fromEntries(format.formatToParts(instant).map(({type, value}) => [type, value]));
  return {day: names.indexOf(parts['weekday'] ?? ''), minute: Number(parts['hour']) * 60 + Number(parts['minute'])};
}

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

test('days and hours are those of a wall clock, at every moment', () => {
  const minute = fc.integer({min: 0, max: 1_439});
  const instant = fc.integer({min: Date.UTC(2011, 0, 1), max: Date.UTC(2035, 0, 1)});
  const known = createZones();
  const days = fc.subarray([0, 1, 2, 3, 4, 5, 6], {minLength: 1});
  fc.assert(
    fc.property(fc.constantFrom(...zones), instant, days, fc.tuple(minute, minute), (zone, at, on, [from, to]) => {
      fc.pre(from !== to);
      const wall = wallClock(zone, at);
      const before = (wall.day + 6) % 7;
      const inHours = from < to ? wall.minute >= from && wall.minute < to : wall.minute >= from || wall.minute < to;
      const day = from > to && wall.minute < to ? before : wall.day;
      const window = parseTimeWindow({
        days: on.map((one) => names[one]?.toLowerCase() ?? '') as [string],
        hours: `${clock(from)}-${clock(to)}`,
      }) as TimeWindow;
      const local = known.of(zone)!(new Date(at).toISOString())!;
      const isIn = isInWindow(window, local);
      expect(isIn).toBe(inHours && on.includes(day));
      // The index must not omit the rule.
      expect(!isIn || hoursOfWeek(window).includes(hourOfWeek(local))).toBe(true);
    }),
    {numRuns},
  );
});

test.each<[unknown, string, string]>([
  [{zone: 'Europe/Berln', days: 'mon'}, 'POLICY_ZONE_UNKNOWN', 'there is no time zone `Europe/Berln`'],
  [{zone: '+01:00', days: 'mon'}, 'POLICY_ZONE_UNKNOWN', 'there is no time zone `+01:00`'],
  [{zone: 'UTC'}, 'POLICY_MATCHER_INVALID', '`time` needs a `zone`, and days, hours or dates'],
  [{zone: 'UTC', day: 'mon'}, 'POLICY_MATCHER_INVALID', 'unknown condition `day` on a time'],
  [{zone: 'UTC', days: 'monday'}, 'POLICY_TIME_INVALID', '`monday` is not valid in `days`'],
  [{zone: 'UTC', hours: '9-17'}, 'POLICY_TIME_INVALID', '`9-17` is not valid in `hours`'],
  [{zone: 'UTC', hours: '09:00-09:00'}, 'POLICY_TIME_INVALID', '`09:00-09:00` is not valid in `hours`'],
  [{zone: 'UTC', hours: '24:00-09:00'}, 'POLICY_TIME_INVALID', '`24:00-09:00` is not valid in `hours`'],
  [{zone: 'UTC', dates: '2026-02-29'}, 'POLICY_TIME_INVALID', '`2026-02-29` is not valid in `dates`'],
  [{zone: 'UTC', dates: '2026-12-24..12-26'}, 'POLICY_TIME_INVALID', '`2026-12-24..12-26` is not valid in `dates`'],
  [{zone: 'UTC', dates: '2026-12-24..2026-12-23'}, 'POLICY_TIME_INVALID', 'is not valid in `dates`'],
  [{zone: 'UTC', days: []}, 'POLICY_TIME_INVALID', 'an empty list of days matches nothing'],
])('%j is refused: %s', (time, code, message) => {
  const {problems} = compile({time: time as TimeMatcher});
  expect(problems.map((problem) => problem.code)).toEqual([code]);
  expect(problems[0]?.message).toContain(message);
});

test('a weekday that none of the dates has never matches', () => {
  const reach = (time: TimeMatcher) =>
    ruleReach(
      {rule: {id: 'r', trigger: 'on_claim', decision: 'deny', when: {time}}, where: 'r'},
      ports,
    )({
      trigger: 'on_claim',
      lane: 'main',
    });
  expect(reach({zone: 'UTC', days: 'mon', dates: '2026-12-24'})).toBe('never');
  expect(reach({zone: 'UTC', days: 'thu', dates: '2026-12-24'})).toBe('maybe');
  expect(reach({zone: 'UTC', days: 'mon', dates: '12-24'})).toBe('maybe');
  expect(reach({zone: 'UTC', days: 'mon', dates: '2026-12-24..2026-12-30'})).toBe('maybe');
});
