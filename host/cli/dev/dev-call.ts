// The call that an author makes again and again: as it is written, what it means in a host, and whether it is another now.
import {nearestName, type RegisteredTool} from '@lumenflow/kernel';
import {readFile} from 'node:fs/promises';
import {dirname, join} from 'node:path';
import type {Host} from '../../compose.ts';
import {factoryModuleName} from '../../isolate/factory-module.ts';
import {CliError} from '../failures/cli-error.ts';

export interface DevCall {
  /** As written: `greet` stands for `hello:greet` unless the pack has another tool of that name. */
  readonly tool: string;
  readonly input: unknown;
}

/** `greet {"name": "Ada"}`. Throws CliError INVALID_ARGUMENT. */
export function parseDevCall(text: string): DevCall {
  const [, tool = '', input = ''] = /^(\S+)\s*(.*)$/su.exec(text.trim()) ?? [];
  try {
    return {tool, input: input === '' ? {} : JSON.parse(input)};
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError('INVALID_ARGUMENT', `the input of \`${tool}\` is not JSON: ${why}`, {
      help: `write for example: ${tool} {"name": "Ada"}`,
    });
  }
}

/** Throws CliError TOOL_NOT_FOUND. */
export function findDevTool({runtime}: Host, name: string, packFolder: string): RegisteredTool {
  const {tools} = runtime.workspace;
  const own = [...tools.values()].filter(({pack}) => pack.root === packFolder);
  const found = tools.get(name) ?? own.find((tool) => tool.name.split(':').at(-1) === name);
  if (found) return found;
  const near = nearestName(name, [...tools.keys()]);
  throw new CliError('TOOL_NOT_FOUND', `there is no tool \`${name}\``, {
    help: near === undefined ? `there are ${[...tools.keys()].join(', ') || 'none'}` : `did you mean \`${near}\``,
  });
}

/** Equal for two versions of a pack if a call cannot distinguish them, whatever else changed in the folder. */
export async function callFingerprint({declaration, module_path, pack}: RegisteredTool): Promise<string> {
  // Every byte counts: a module of WebAssembly is not a text.
  const code = await readFile(module_path, 'latin1');
  const factories = await readFile(join(dirname(module_path), factoryModuleName), 'utf8').catch(() => '');
  return JSON.stringify([declaration, pack.manifest.policies, code, factories]);
}
