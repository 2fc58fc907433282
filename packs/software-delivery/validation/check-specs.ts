// The findings of wu:validate about specs.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {callOrThrow} from '../nested-calls/call-or-throw.ts';
import type {SpecFinding} from '../work-units/validate-spec.ts';
import type {Validation} from './validation-finding.ts';

export async function checkSpecs(context: Pick<ToolContext, 'callTool'>): Promise<Validation> {
  const {valid, checked, findings} = (await callOrThrow(context, 'wu:validate', {})) as {
    readonly valid: boolean;
    readonly checked: number;
    readonly findings: readonly SpecFinding[];
  };
  return {
    valid,
    checked,
    findings: findings.map(({code, severity, where, message}) => ({code, severity, where, message})),
  };
}
