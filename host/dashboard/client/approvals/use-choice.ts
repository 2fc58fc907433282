// The chosen request, which the address names, and the moves between requests.
import type {HttpApproval} from '@lumenflow/schemas';
import {useEffect, useRef} from 'preact/hooks';
import {useFilter} from '../place.ts';
import {isPhone} from './is-phone.ts';

interface Choosing {
  /** Empty: none. */
  readonly chosen: string;
  choose(id: string): void;
  next(step: 1 | -1): void;
  /** Chooses nothing if this request is the chosen one. `next` continues at its position. */
  forget(id: string): void;
}

export function useChoice(approvals: readonly HttpApproval[], linked: string): Choosing {
  const [chosen, setChosen] = useFilter('request', linked);
  const newest = useRef(chosen);
  newest.current = chosen;
  /** The position of the request that was answered last. */
  const gap = useRef(0);
  const isUntouched = useRef(chosen === '');
  const choose = (id: string): void => {
    isUntouched.current = false;
    setChosen(id, {isNewEntry: isPhone() && id !== ''});
  };
  const indexOf = (id: string): number => approvals.findIndex(({request_id}) => request_id === id);
  // Opens the first request once, unless a person has chosen or answered one.
  const [first] = approvals;
  useEffect(() => {
    if (isUntouched.current && first && !isPhone()) choose(first.request_id);
  }, [first]);
  return {
    chosen,
    choose,
    next(step) {
      const at = indexOf(chosen);
      const to = at === -1 ? gap.current - Number(step === -1) : at + step;
      const wanted = approvals[to] ?? (at === -1 ? approvals.at(-1) : undefined);
      if (wanted) choose(wanted.request_id);
    },
    forget(id) {
      gap.current = Math.max(0, indexOf(id));
      if (newest.current === id) setChosen('');
    },
  };
}
