import * as fc from 'fast-check';
import {expect, test} from 'vitest';
import {civilDate, dayNumber, isCivilDate, weekdayOf} from './civil-date.ts';
import {instantOf} from './instant-of.ts';

const numRuns = Number(process.env['LUMENFLOW_PROPERTY_RUNS'] ?? 300) * 4;
const fourDigitYears = {min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31)};

test('days, weekdays and instants are those of Date', () => {
  fc.assert(
    fc.property(fc.integer(fourDigitYears), (instant) => {
      const date = new Date(instant);
      const day = Math.floor(instant / 86_400_000);
      const civil = {year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate()};
      expect(civilDate(day)).toEqual(civil);
      expect(dayNumber(civil)).toBe(day);
      expect(weekdayOf(day)).toBe((date.getUTCDay() + 6) % 7);
      expect(instantOf(date.toISOString())).toBe(instant);
    }),
    {numRuns},
  );
});

test.each([
  ['2026-11-27T18:30+01:00', '2026-11-27T17:30:00.000Z'],
  ['2026-01-01T00:10:05-05:30', '2026-01-01T05:40:05.000Z'],
  ['2028-02-29T12:00:00.5Z', '2028-02-29T12:00:00.500Z'],
])('%s is %s', (text, utc) => {
  expect(instantOf(text)).toBe(Date.parse(utc));
});

test.each(['2026-02-29T12:00Z', '2026-11-27T12:00', '2026-11-27', '2026-11-27T24:00Z', 'now', ''])(
  '`%s` is not an instant',
  (text) => {
    expect(instantOf(text)).toBeUndefined();
  },
);

test('a leap day exists only in leap years', () => {
  expect([2024, 2026, 1900, 2000].map((year) => isCivilDate({year, month: 2, day: 29}))).toEqual([
    true,
    false,
    false,
    true,
  ]);
});
