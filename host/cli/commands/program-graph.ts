// `lumenflow program graph`: the steps of a program, drawn as a tree; for a run with their states.
import {readProgram, viewProgram} from '../../exec/index.ts';
import {existsSync} from 'node:fs';
import {resolve} from 'node:path';
import type {Command} from '../command.ts';
import {findRunId} from '../programs/find-run-id.ts';
import {programFailure} from '../programs/program-failure.ts';
import {readProgramFile} from '../programs/read-program-file.ts';
import {renderGraph} from '../programs/render-graph.ts';
import {withHost} from '../with-host.ts';

export const programGraph: Command = async (context, [name = '']) => {
  const {style, cwd} = context;
  if (existsSync(resolve(cwd, name))) {
    const document = readProgram(await readProgramFile(context, name));
    if (!document.ok) {
      const message = `\`${name}\` is not a valid program`;
      return programFailure(context, {code: 'PROGRAM_INVALID', message, details: {problems: [...document.problem]}});
    }
    const {program} = document.value;
    return {data: {program}, text: () => renderGraph(program, [], style)};
  }
  return await withHost(context, async (host) => {
    const found = await viewProgram(host, findRunId(host.runtime, name));
    if (!found.ok) return programFailure(context, found.problem);
    const {program, run} = found.value;
    return {data: {program, run}, text: () => renderGraph(program, run.steps, style)};
  });
};
