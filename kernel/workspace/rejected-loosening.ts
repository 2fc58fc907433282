// Lanes that try to loosen the workspace's decision without permission. Their decision has no effect on any call, so loading the workspace
// reports a warning.
import type {WorkspaceSpec} from '@lumenflow/schemas';
import type {Problem} from '../problem.ts';

interface Written {
  readonly spec: WorkspaceSpec;
  /** `file:line:column` of a JSON pointer into workspace.yaml. */
  locate(pointer: string): string;
}

/** `powerlessRules` reports rules of a lane whose own default is stricter. */
export function rejectedLoosening({spec, locate}: Written): readonly Problem[] {
  const {default_decision, allow_loosening = []} = spec.policies ?? {};
  if (default_decision === undefined || default_decision === 'allow' || allow_loosening.includes('lane')) return [];
  return spec.lanes.flatMap(({id, policies}, index): readonly Problem[] => {
    const {default_decision: own = 'allow', rules = []} = policies ?? {};
    if (own !== 'allow') return [];
    const at = `/lanes/${index}/policies`;
    const rejected = (code: string, said: string, pointer: string): Problem => ({
      code,
      severity: 'warning',
      message: `${said} is rejected: the workspace says ${default_decision}, and a lane may only tighten`,
      where: locate(pointer),
      help: 'name `lane` in `policies.allow_loosening`, or remove it',
    });
    return [
      ...(policies?.default_decision === undefined
        ? []
        : [
            rejected(
              'POLICY_DEFAULT_WITHOUT_EFFECT',
              `\`default_decision: allow\` of lane \`${id}\``,
              `${at}/default_decision`,
            ),
          ]),
      ...rules.flatMap(({id: rule, trigger, decision}, place) =>
        trigger === 'on_tool_request' && decision === 'allow'
          ? [rejected('POLICY_RULE_WITHOUT_EFFECT', `\`allow\` by rule \`${rule}\``, `${at}/rules/${place}`)]
          : [],
      ),
    ];
  });
}
