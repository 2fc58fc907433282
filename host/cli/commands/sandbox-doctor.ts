// `lumenflow sandbox doctor`: what of a sandbox this machine can hold. Needs no workspace.
import {createSandbox, diagnoseSandbox, type DoctorReport} from '@lumenflow/sandbox';
import type {Command} from '../command.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import type {Style} from '../rendering/style.ts';

export const sandboxDoctor: Command = async (context) => {
  const sandbox = createSandbox({searchPath: context.env['PATH'] ?? ''});
  const report = await context.spin('trying out the sandbox', () => diagnoseSandbox([sandbox]));
  const text = (): string => render(report, context.style);
  if (report.tier !== 'none') return {data: {report}, text};
  const failed = report.checks.find(({ok}) => !ok);
  const message = 'no sandbox can be had on this machine: sandboxed calls are refused';
  const failure = {code: 'SANDBOX_UNAVAILABLE', message, details: {fix: failed?.fix ?? ''}};
  return {data: {report}, failure, text};
};

function render({platform, user, checks, tier}: DoctorReport, style: Style): string {
  const verdict =
    tier === 'none'
      ? style.bad('✘ no sandbox: sandboxed calls are refused')
      : style.good(`✔ sandboxed calls run at tier ${tier}`);
  const lines = renderFields(
    checks.map(({name, ok, detail, fix}) => {
      const mark = ok ? style.good('✔') : style.warning('!');
      const advice = ok || fix === undefined ? '' : `\n${style.good('fix:')} ${cleanText(fix)}`;
      return [`  ${name}`, `${mark} ${cleanText(detail)}${advice}`] as const;
    }),
    style,
  );
  return [wrapText(verdict, style.width), style.dim(`  ${platform}, ${user} user`), '', lines].join('\n');
}
