// resources/list: the resources that a client starts with; templates and completions lead to the rest.
import type {Resource, ResourceTemplateType} from '@modelcontextprotocol/server';
import type {Conversation} from '../conversation.ts';
import {packResources, packTemplates} from './pack-resources.ts';
import {approvalsUri, resourceUri, templates} from '../resource-uri.ts';

const mimeType = 'application/json';

/** Sorted by URI. */
export async function listResources(conversation: Conversation): Promise<readonly Resource[]> {
  const {runtime, session} = conversation;
  const lanes = [...runtime.workspace.lanes.keys()].map((lane) => ({
    uri: resourceUri('policy', lane),
    name: `policy of lane ${lane}`,
    description: 'What a new task of the lane may do, tool by tool',
    mimeType,
  }));
  const own = [
    {
      uri: approvalsUri,
      name: 'approvals',
      description: 'The approvals that you requested, and their outcomes',
      mimeType,
    },
    {
      uri: resourceUri('task', session.task_id),
      name: 'your task',
      description: 'The task that your calls run in',
      mimeType,
    },
  ];
  return [...own, ...lanes, ...(await packResources(conversation))].toSorted((left, right) =>
    left.uri < right.uri ? -1 : 1,
  );
}

export async function listTemplates(conversation: Conversation): Promise<ResourceTemplateType[]> {
  const own = templates.map(({kind, uriTemplate, about}) => ({
    name: kind,
    uriTemplate,
    description: about,
    mimeType,
  }));
  return [...own, ...(await packTemplates(conversation))];
}
