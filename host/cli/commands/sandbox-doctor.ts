// `lumenflow sandbox doctor`: shows what the sandbox can enforce on this machine, and how a workspace uses it. Works without a
// workspace.
import {
  diagnoseSandbox,
  forgetKeptTrials,
  sandboxBackends,
  tierCheckName,
  type DoctorReport,
  type Sandbox,
} from '@lumenflow/sandbox';
import type {SecurityTier, ToolFailure} from '@lumenflow/schemas';
import {chosenSandboxes} from '../../loading/chosen-sandboxes.ts';
import type {CliContext, Command} from '../command.ts';
import {findWorkspace, hasWorkspace} from '../lookup/find-workspace.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import type {Style} from '../rendering/style.ts';
import {readWorkspaceWrites, type WorkspaceWrites} from '../lookup/workspace-writes.ts';

const shownMax = 10;

interface Diagnosis {
  readonly report: DoctorReport;
  /** Tiers that the workspace requires and its backends do not reach on this machine. */
  readonly unmet: readonly SecurityTier[];
}

interface Options {
  readonly fresh?: boolean;
}

export const sandboxDoctor: Command<Options> = async (context, _, {fresh = false}) => {
  const diagnosis = await context.spin('testing the sandbox', async () => {
    if (fresh) await forgetKeptTrials();
    return await diagnose(context);
  });
  const {report} = diagnosis;
  const failure = failureOf(diagnosis);
  return {data: {report}, ...(failure && {failure}), text: () => render(diagnosis, context.style)};
};

function failureOf({report: {tier, checks}, unmet}: Diagnosis): ToolFailure | undefined {
  if (tier === 'none') {
    const message = 'no sandbox is available on this machine: LumenFlow rejects sandboxed calls';
    return {code: 'SANDBOX_UNAVAILABLE', message, details: {fix: checks.find(({ok}) => !ok)?.fix ?? ''}};
  }
  const [first] = unmet;
  if (first === undefined) return undefined;
  const check = checks.find(({name}) => name === tierCheckName(first));
  const message = `this machine does not reach the security tier \`${first}\` that the workspace requires: LumenFlow rejects its sandboxed calls`;
  return {code: 'SANDBOX_PROFILE_UNMET', message, details: {fix: check?.fix ?? ''}};
}

async function diagnose(context: CliContext): Promise<Diagnosis> {
  const isNamed = context.workspace !== undefined || hasWorkspace(context.cwd);
  const workspaceRoot = isNamed ? findWorkspace(context) : undefined;
  const writes = workspaceRoot === undefined ? undefined : await readWorkspaceWrites(workspaceRoot, context.env);
  const {backend, options, tiers = []} = writes ?? {};
  const {sandboxes, create} = chosenSandboxes(backend, {
    env: context.env,
    ...(workspaceRoot && {workspaceRoot}),
  });
  const probed = sandboxes.map((sandbox) => ({probe: () => sandbox.probe(options)}));
  const others = sandboxBackends
    .filter((backendName) => !sandboxes.some(({name}) => name === backendName))
    .map((name) => create(name, {loadsImages: false}));
  const probedOthers = others.map((sandbox) => ({probe: () => sandbox.probe(options)}));
  const report = await diagnoseSandbox(probed, {workspaceRoot, tiers, others: probedOthers});
  await Promise.all([...sandboxes, ...others].map(async (sandbox) => await sandbox.close()));
  const unmet = tiers.filter((tier) => report.checks.some(({name, ok}) => !ok && name === tierCheckName(tier)));
  if (writes === undefined) return {report, unmet};
  return {report: {...report, checks: [...report.checks, directCheck(writes, sandboxes)]}, unmet};
}

function directCheck({direct}: WorkspaceWrites, sandboxes: readonly Sandbox[]): DoctorReport['checks'][number] {
  const name = 'direct writes';
  const tools = direct(sandboxes.some((sandbox) => sandbox.hasViews({})));
  if (tools === undefined) {
    const detail = 'the workspace cannot be loaded, so its tools are unknown';
    return {name, ok: false, detail, fix: 'run `lumenflow tools list`, which reports why'};
  }
  if (tools.length === 0) return {name, ok: true, detail: 'no tool in this workspace writes directly'};
  const shown = tools.slice(0, shownMax).map((tool) => `\`${tool}\``);
  const more = tools.length > shownMax ? ` and ${tools.length - shownMax} more` : '';
  const detail = `${shown.join(', ')}${more} ${tools.length === 1 ? 'writes' : 'write'} directly, without a private view`;
  return {name, ok: false, detail, fix: 'set `writes: transactional` on lanes that do not need direct writes'};
}

function render({report: {platform, user, checks, tier, readiness}, unmet}: Diagnosis, style: Style): string {
  const [first] = unmet;
  const verdict =
    tier === 'none'
      ? style.bad('✘ no sandbox: LumenFlow rejects sandboxed calls')
      : first === undefined
        ? style.good(`✔ sandboxed calls run at tier ${tier}`)
        : style.bad(`✘ tier ${first} is required but not reached: LumenFlow rejects sandboxed calls`);
  const lines = renderFields(
    checks.map(({name, ok, detail, fix}) => {
      // A backend that is absent and unused is neither a fault nor a success.
      const isAbsent = (readiness[name.replace(/^backend /u, '')] ?? 'proven here') !== 'proven here';
      const mark = ok ? (isAbsent ? style.dim('·') : style.good('✔')) : style.warning('!');
      const advice = ok || fix === undefined ? '' : `\n${style.good('fix:')} ${cleanText(fix)}`;
      return [`  ${name}`, `${mark} ${cleanText(detail)}${advice}`] as const;
    }),
    style,
  );
  return [wrapText(verdict, style.width), style.dim(`  ${platform}, ${user} user`), '', lines].join('\n');
}
