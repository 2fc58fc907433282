/** Whether a run can continue with these answers if it waits for these requests. A run that names none continues at any signal. */
export function isAnswered(waits_for: readonly string[] | undefined = [], answered: readonly string[]): boolean {
  return waits_for.length === 0 || waits_for.some((request) => answered.includes(request));
}
