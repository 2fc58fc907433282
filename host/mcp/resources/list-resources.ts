// resources/list: what a client can begin with; templates and completions lead to the rest.
import type {Resource, ResourceTemplateType} from '@modelcontextprotocol/server';
import type {Conversation} from '../conversation.ts';
import {approvalsUri, resourceUri, templates} from './resource-uri.ts';

const mimeType = 'application/json';

/** In order of address. */
export function listResources({runtime, session}: Conversation): readonly Resource[] {
  const lanes = [...runtime.workspace.lanes.keys()].map((lane) => ({
    uri: resourceUri('policy', lane),
    name: `policy of lane ${lane}`,
    mimeType,
  }));
  const own = [
    {uri: approvalsUri, name: 'approvals', description: 'What you asked a person for, and what came of it', mimeType},
    {uri: resourceUri('task', session.task_id), name: 'your task', mimeType},
  ];
  return [...own, ...lanes].toSorted((left, right) => (left.uri < right.uri ? -1 : 1));
}

export function listTemplates(): ResourceTemplateType[] {
  return templates.map(({kind, uriTemplate, about}) => ({name: kind, uriTemplate, description: about, mimeType}));
}
