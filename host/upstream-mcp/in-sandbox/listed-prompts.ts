// A server's prompts as packs.lock records them, up to a limit.
import type {Prompt} from '@modelcontextprotocol/client';
import {promptDefinitionOf, type PromptDefinition} from '../prompt-definition.ts';
import {distinctBy, type Distinct} from './distinct-by.ts';

export type PromptList = Distinct<PromptDefinition>;

export function listedPrompts(prompts: readonly Prompt[]): PromptList {
  return distinctBy(
    prompts.map((prompt) => promptDefinitionOf(prompt)),
    ({name}) => name,
  );
}
