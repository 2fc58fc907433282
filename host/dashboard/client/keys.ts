// Shortcuts: single keys, disabled while a person types and while a dialog is open.
import {useLayoutEffect, useRef} from 'preact/hooks';

/** With `repeats`, a key acts again and again until it is released. Without it, one press acts once. */
export function useKeys(acts: Readonly<Record<string, () => void>>, {repeats = false} = {}): void {
  const newest = useRef(acts);
  newest.current = acts;
  // Before the paint: a key works as soon as its button is seen.
  useLayoutEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const act = Object.hasOwn(newest.current, event.key) ? newest.current[event.key] : undefined;
      if (!act || isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      if (repeats || !event.repeat) act();
    };
    addEventListener('keydown', press);
    return () => removeEventListener('keydown', press);
  }, [repeats]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('input, textarea, select, dialog') !== null;
}
