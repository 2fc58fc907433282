// What the suite's report says, scenario by scenario.

export interface Verdicts {
  /** Names of required scenarios. */
  readonly passed: readonly string[];
  readonly failed: readonly string[];
  /** Extensions, later additions and experiments: run and reported, but not required. */
  readonly notScored: readonly string[];
}

const scenarioLine = /^([✓✗]) ([\w-]+): \d+ passed, \d+ failed/gmu;
const notScoredLine = /^ {2}[✓✗] ([\w-]+) \(\S+\)$/gmu;

export function readVerdicts(report: string): Verdicts {
  const text = report.replaceAll(/\u001B\[[\d;]*m/gu, '');
  const notScored = [...text.matchAll(notScoredLine)];
  const unscored = new Set(notScored.map(([, name]) => name));
  const scored = [...text.matchAll(scenarioLine)].filter(([, , name]) => !unscored.has(name));
  const named = (sign: string): readonly string[] =>
    scored.flatMap(([, found, name]) => (found === sign && name !== undefined ? name : []));
  return {passed: named('✓'), failed: named('✗'), notScored: notScored.map(([line]) => line.trim())};
}
