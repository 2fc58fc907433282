import {assert, oneof, property, string, stringMatching} from 'fast-check';
import {describe, expect, it} from 'vitest';
import {parsePastTime, parseTime} from './parse-time.ts';

const now = Date.parse('2026-11-27T12:00:00.000Z');

describe('parseTime', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T09:00Z', '2026-01-31T09:00:00.000Z'],
    ['2026-01-31T09:00:00.5+02:00', '2026-01-31T07:00:00.500Z'],
    ['2026-01-31 09:00Z', '2026-01-31T09:00:00.000Z'],
  ])('reads %s', (text, time) => {
    expect(parseTime(text)).toBe(time);
    expect(parsePastTime(text, now)).toBe(time);
  });

  it.each(['', '5', '2026', 'March 7', '2026-02-30', '2026-13-01', '2026-01-31T25:00Z', '1764244800', '24 h', '1w'])(
    'rejects `%s`',
    (text) => {
      expect(() => parseTime(text)).toThrow('is not a valid time');
      expect(() => parsePastTime(text, now)).toThrow('is not a valid time');
    },
  );

  it('rejects a duration where no past is meant', () => {
    expect(() => parseTime('24h')).toThrow('`24h` is not a valid time');
  });
});

describe('parsePastTime', () => {
  it.each([
    ['0s', '2026-11-27T12:00:00.000Z'],
    ['90s', '2026-11-27T11:58:30.000Z'],
    ['30m', '2026-11-27T11:30:00.000Z'],
    ['24h', '2026-11-26T12:00:00.000Z'],
    ['7d', '2026-11-20T12:00:00.000Z'],
  ])('reads %s as a time before now', (text, time) => {
    expect(parsePastTime(text, now)).toBe(time);
  });

  it('returns a time or rejects, whatever the text is', () => {
    assert(
      property(oneof(string(), stringMatching(/^\d{1,6}[smhd]$/u)), (text) => {
        try {
          expect(parsePastTime(text, now)).toMatch(/^-?\d+-\d{2}-\d{2}T[\d:.]+Z$/u);
        } catch (error) {
          expect((error as Error).message).toContain('is not a valid time');
        }
      }),
    );
  });
});
