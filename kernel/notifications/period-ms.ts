// A period in workspace.yaml: a number and s, m, h or d.
const unitMs: Readonly<Record<string, number>> = {s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000};

export function periodMs(text: string): number {
  return Number(text.slice(0, -1)) * (unitMs[text.slice(-1)] ?? Number.NaN);
}
