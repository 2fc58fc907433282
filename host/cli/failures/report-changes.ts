// Reports what keeps going wrong once: a scheduler meets the same failure at every turn.

/** Calls `report` unless the text is the same as before. */
export function reportChanges(report: (text: string) => void): (text: string) => void {
  let last: string | undefined;
  return (text) => {
    if (text !== last) report(text);
    last = text;
  };
}
