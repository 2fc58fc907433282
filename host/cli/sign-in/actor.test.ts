import {isIdentifier} from '@lumenflow/kernel';
import * as fc from 'fast-check';
import {describe, expect, it} from 'vitest';
import {actorOf, toIdentifier} from './actor.ts';

/** Controls, marks of direction and everything below. */
const character = fc.integer({min: 0, max: 0x2100}).map((code) => String.fromCodePoint(code));

describe('actorOf', () => {
  it('takes the option, then the environment, then the user', () => {
    expect(actorOf({env: {LUMENFLOW_ACTOR: 'env'}}, 'option')).toBe('option');
    expect(actorOf({env: {LUMENFLOW_ACTOR: 'env'}}, undefined)).toBe('env');
    expect(isIdentifier(actorOf({env: {LUMENFLOW_ACTOR: ''}}, undefined))).toBe(true);
  });

  it('rejects a given name that is not a valid id', () => {
    expect(() => actorOf({env: {}}, 'a b')).toThrow('`a b` cannot be a name');
    expect(() => actorOf({env: {LUMENFLOW_ACTOR: '../x'}}, undefined)).toThrow('`../x` cannot be a name');
  });
});

describe('toIdentifier', () => {
  it('keeps allowed characters', () => {
    expect(toIdentifier('My Project (2)')).toBe('My-Project-2');
    expect(toIdentifier('Größe wörk 🚀')).toBe('Gro-e-work');
    expect(toIdentifier('.hidden')).toBe('hidden');
    expect(toIdentifier('—')).toBe('user');
  });

  it('always gives a valid id', () => {
    fc.assert(fc.property(fc.string({unit: character, maxLength: 200}), (name) => isIdentifier(toIdentifier(name))));
  });
});
