// The newest value, once it has stayed the same. One request then follows a word, and not each of its letters.
import {useEffect, useState} from 'preact/hooks';

const typingMs = 150;

export function useSettled<T>(value: T): T {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), typingMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
