// The address of a page: its name, an id and its filters. They follow the #, so that no request contains them and links keep them.
import {useCallback, useEffect, useState} from 'preact/hooks';

export interface Place {
  readonly name: string;
  readonly id: string;
  readonly filters: URLSearchParams;
}

function readPlace(): Place {
  const [path = '', filters] = location.hash.replace(/^#\/?/, '').split('?', 2);
  const [name = '', id = ''] = path.split('/');
  return {name: name === '' ? 'calls' : name, id: decoded(id), filters: new URLSearchParams(filters)};
}

/** An address that was typed can be malformed. It then names nothing. */
function decoded(id: string): string {
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

export function usePlace(): Place {
  const [place, setPlace] = useState(readPlace);
  useEffect(() => {
    const follow = (): void => setPlace(readPlace());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return place;
}

interface SetOptions {
  /** The browser's Back button returns to the earlier value. */
  readonly isNewEntry?: boolean;
  /** Another filter, whose value loses its meaning. */
  readonly clears?: string | undefined;
}
type SetFilter = (value: string, options?: SetOptions) => void;

/** A filter of the current page. */
export function useFilter(key: string, otherwise = ''): readonly [value: string, set: SetFilter] {
  const {filters} = usePlace();
  const set = useCallback<SetFilter>(
    (value, {isNewEntry = false, clears = ''} = {}) => {
      const {name, id, filters: current} = readPlace();
      if (value === otherwise) current.delete(key);
      else current.set(key, value);
      current.delete(clears);
      const path = id === '' ? name : `${name}/${encodeURIComponent(id)}`;
      const address = `#/${path}${current.size > 0 ? `?${current}` : ''}`;
      if (isNewEntry) history.pushState(undefined, '', address);
      else history.replaceState(undefined, '', address);
      dispatchEvent(new HashChangeEvent('hashchange'));
    },
    [key, otherwise],
  );
  return [filters.get(key) ?? otherwise, set];
}
