// `lumenflow policy lint`: rules that decide nothing, contradict each other, overlap, or name what does not exist or is over.
import type {PolicyFinding, Problem} from '@lumenflow/kernel';
import {areaOf} from '../../check/check-area.ts';
import {lintRules} from '../../check/lint-rules.ts';
import {withLoadedWorkspace} from '../../loading/with-loaded-workspace.ts';
import {counted} from '../../text/counted.ts';
import type {Command, Outcome} from '../command.ts';
import {findWorkspace} from '../lookup/find-workspace.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {placesFrom} from '../rendering/places-from.ts';
import {wrapText} from '../rendering/render-fields.ts';
import {renderProblems} from '../rendering/render-problems.ts';
import type {Style} from '../rendering/style.ts';

type Finding = Problem & Partial<PolicyFinding>;

interface Linted {
  readonly rules: string | undefined;
  readonly findings: readonly Finding[];
}

export const policyLint: Command = async (context) => {
  const workspaceRoot = findWorkspace(context);
  const linted = await context.spin('loading the workspace', () =>
    withLoadedWorkspace({workspaceRoot, env: context.env}, (loaded): Linted => {
      if (!loaded.ok) return {rules: undefined, findings: loaded.problem};
      const {problems} = loaded.value;
      const {rules, findings} = lintRules(loaded.value, Date.now());
      // Other problems are those of `lumenflow check`, unless they keep the rules from being read.
      const reported = problems.filter(({code, severity}) => areaOf(code) === 'rules' || severity === 'error');
      return {rules, findings: [...reported, ...findings]};
    }),
  );
  const {style, cwd} = context;
  return outcomeOf(linted, style, (findings) => placesFrom(cwd, workspaceRoot, findings));
};

function outcomeOf(
  {rules, findings}: Linted,
  style: Style,
  placed: (findings: readonly Finding[]) => readonly Finding[],
): Outcome {
  const faults = findings.filter(({is_note}) => is_note !== true);
  const notes = findings.filter(({is_note}) => is_note === true);
  const summary = {findings: faults.length, notes: notes.length};
  return {
    data: {findings, summary},
    ...(faults.length > 0 && {failure: {code: 'POLICY_LINT_FAILED', message: counted(faults.length, 'finding')}}),
    text: () => {
      const shown = placed(faults);
      const lines = [
        ...(shown.length > 0 ? [renderProblems(shown, style)] : []),
        ...proofLines(shown, style),
        ...placed(notes).map((note) =>
          wrapText(style.dim(`note: ${cleanText(note.message)} (${note.where})`), style.width),
        ),
      ];
      return [...lines, ...(faults.length === 0 ? [`${style.good('✔')} ${rules ?? ''}: no findings`] : [])].join('\n');
    },
  };
}

/** The calls that show it. */
function proofLines(findings: readonly Finding[], style: Style): readonly string[] {
  return findings.flatMap(({rule_id, other, call}) => {
    if (rule_id === undefined || other === undefined || call === undefined) return [];
    const text = `${rule_id}: for example ${JSON.stringify(call)}, which \`${other.rule_id}\` decides`;
    return [wrapText(cleanText(text), style.width)];
  });
}
