// One run of code through the session's own way of a call, with its report as a result.
import type {CodeLimits, CodeReport, CodeRequest, CodeResult} from '@lumenflow/schemas';
import type {RunOptions} from '../run-tool.ts';
import type {Session} from '../../sessions/open-session.ts';
import {codeLimits} from './code-limits.ts';
import {codeTool, sandboxedCodeTool} from './pack/code-tools.ts';

export interface CodeOptions extends Pick<RunOptions, 'signal' | 'on_progress'> {
  /** Where it runs; default QuickJS for JavaScript and TypeScript, and the sandbox for other languages. */
  readonly runs_in?: 'quickjs' | 'sandbox' | undefined;
}

export type RunCode = (request: CodeRequest, options?: CodeOptions) => Promise<CodeResult>;

/** Never rejects because of the code. */
export function createCodeRunner(session: Pick<Session, 'call'>): RunCode {
  return async (request, options = {}) => {
    const {signal, on_progress: onProgress} = options;
    const started = performance.now();
    const {data, error, metadata} = await session.call(codeToolFor(request, options), request, {
      ...(signal && {signal}),
      ...(onProgress && {onProgress}),
    });
    const receipt_id = metadata?.receipt_id;
    return {
      ...(isReport(data) ? data : notRun(request.limits)),
      duration_ms: performance.now() - started,
      ...(receipt_id !== undefined && {receipt_id}),
      ...(error && {error}),
    };
  };
}

/** The name of the tool that runs it, which policy rules match. */
export function codeToolFor({language}: Pick<CodeRequest, 'language'>, {runs_in}: CodeOptions): string {
  const isScript = language === 'javascript' || language === 'typescript';
  return (runs_in ?? (isScript ? 'quickjs' : 'sandbox')) === 'quickjs' ? codeTool : sandboxedCodeTool;
}

function isReport(data: unknown): data is CodeReport {
  return typeof data === 'object' && data !== null && 'calls' in data;
}

function notRun(limits: CodeLimits | undefined): CodeReport {
  const used = {tool_calls: 0, wall_time_ms: 0, output_bytes: 0};
  return {value: null, stdout: '', stderr: '', calls: [], limits: codeLimits(limits), used};
}
