// Whether the window has the width at which dashboard.css shows one thing at a time.

export function isPhone(): boolean {
  return matchMedia('(max-width: 720px)').matches;
}
