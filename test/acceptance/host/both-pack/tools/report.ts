// Handlers that must not be able to detect where they run.
import {defineTool, ToolError} from '@lumenflow/pack-sdk';

interface ReportInput {
  readonly folder: string;
}

export const report = defineTool<ReportInput>({
  async run({folder}, context) {
    await context.progress({percent: 50});
    context.log.info('half way', {folder});
    console.log('printed');
    await context.fs.write(`${folder}/new.md`, 'new\n');
    const refused = await context.fs.read('src/secret.ts').catch((error: unknown) => (error as ToolError).code);
    const child = await context.callTool('pool:echo', {deep: [1, 'two', null]});
    return {
      keys: Object.keys(context).toSorted(),
      lane: context.lane_id,
      root: context.workspace_root,
      granted: context.granted_scopes,
      config: context.config ?? null,
      env: context.env,
      aborted: context.signal.aborted,
      text: await context.fs.readText(`${folder}/new.md`),
      entries: (await context.fs.list('docs')).map(({name, kind}) => `${name} ${kind}`),
      stat: await context.fs.stat(`${folder}/absent.md`),
      refused,
      child: child.data,
      odd: {nothing: undefined, long: 1e21},
    };
  },
});

export const fail = defineTool<{how: string}>({
  async run({how}, context) {
    if (how === 'tool-error') throw new ToolError('MY_CODE', 'reported by the author', {detail: [1]});
    if (how === 'error') throw new TypeError('broken');
    if (how === 'value') throw 'a text'; // oxlint-disable-line no-throw-literal -- authors do
    if (how === 'output') return {success: false, error: {code: 'OWN', message: 'as a value'}};
    if (how === 'not-json') return {big: 1n};
    if (how === 'cycle') {
      const cycle: Record<string, unknown> = {};
      cycle['self'] = cycle;
      return cycle;
    }
    await context.callTool(how, {});
    return undefined;
  },
});

export const echo = defineTool<unknown, unknown>({run: (input) => input});
