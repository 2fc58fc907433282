// `lumenflow sandbox doctor`: shows what the sandbox can enforce on this machine, and how a workspace uses it. Works without a
// workspace.
import {
  containerBackends,
  containerdBackends,
  createSandbox,
  engineBackends,
  diagnoseSandbox,
  type DoctorReport,
  type Sandbox,
} from '@lumenflow/sandbox';
import type {SandboxBackendName} from '@lumenflow/schemas';
import type {CliContext, Command} from '../command.ts';
import {findWorkspace, hasWorkspace} from '../lookup/find-workspace.ts';
import {cleanText} from '../rendering/clean-text.ts';
import {renderFields, wrapText} from '../rendering/render-fields.ts';
import type {Style} from '../rendering/style.ts';
import {readWorkspaceWrites, type WorkspaceWrites} from '../lookup/workspace-writes.ts';

const shownMax = 10;
/** The platform's own, and the one for WebAssembly modules. */
const usualBackends: readonly (SandboxBackendName | undefined)[] = [undefined, 'wasm'];
const otherBackends: readonly SandboxBackendName[] = [
  ...containerBackends,
  ...engineBackends,
  ...containerdBackends,
  'vm',
  'firecracker',
];

export const sandboxDoctor: Command = async (context) => {
  const report = await context.spin('testing the sandbox', () => diagnose(context));
  const text = (): string => render(report, context.style);
  if (report.tier !== 'none') return {data: {report}, text};
  const failed = report.checks.find(({ok}) => !ok);
  const message = 'no sandbox is available on this machine: LumenFlow rejects sandboxed calls';
  const failure = {code: 'SANDBOX_UNAVAILABLE', message, details: {fix: failed?.fix ?? ''}};
  return {data: {report}, failure, text};
};

async function diagnose(context: CliContext): Promise<DoctorReport> {
  const isNamed = context.workspace !== undefined || hasWorkspace(context.cwd);
  const workspaceRoot = isNamed ? findWorkspace(context) : undefined;
  const writes = workspaceRoot === undefined ? undefined : await readWorkspaceWrites(workspaceRoot, context.env);
  const {backend, options, tiers = []} = writes ?? {};
  const named = backend === undefined ? usualBackends : typeof backend === 'string' ? [backend] : backend;
  const searchPath = context.env['PATH'] ?? '';
  const sandboxes = named.map((name) => createSandbox({searchPath, ...(name && {backend: name})}));
  const probed = sandboxes.map((sandbox) => ({probe: () => sandbox.probe(options)}));
  const others = otherBackends
    .filter((name) => !named.includes(name))
    .map((backend) => createSandbox({searchPath, backend, loadsImages: false}));
  const probedOthers = others.map((sandbox) => ({probe: () => sandbox.probe(options)}));
  const report = await diagnoseSandbox(probed, {workspaceRoot, tiers, others: probedOthers});
  await Promise.all([...sandboxes, ...others].map(async (sandbox) => await sandbox.close()));
  if (writes === undefined) return report;
  return {...report, checks: [...report.checks, directCheck(writes, sandboxes)]};
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

function render({platform, user, checks, tier}: DoctorReport, style: Style): string {
  const verdict =
    tier === 'none'
      ? style.bad('✘ no sandbox: LumenFlow rejects sandboxed calls')
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
