import {describe, expect, it} from 'vitest';
import {createProgress} from './progress-params.ts';

describe('progress', () => {
  it('uses rising numbers, and counts the reports otherwise', () => {
    const next = createProgress();
    expect(next({percent: 50})).toEqual({progress: 50, total: 100});
    expect(next('half way')).toEqual({progress: 51, message: 'half way'});
    expect(next({progress: 3, total: 9})).toEqual({progress: 52});
    expect(next({progress: 60, total: 90, message: 'm'})).toEqual({progress: 60, total: 90, message: 'm'});
    expect(next(null)).toEqual({progress: 61});
  });
});
