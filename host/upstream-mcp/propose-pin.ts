// A pin for a server that was just asked for its tools. Each tool has the strictest permission and no scopes, because what a
// server says of itself grants nothing; its hints become comments for the person who decides.
import type {PackPin} from '@lumenflow/schemas';
import {isMap, isSeq, type Scalar} from 'yaml';
import {editYaml} from '../text/edit-yaml.ts';
import type {ToolHints, UpstreamListing} from './upstream-listing.ts';
import {versionOf} from './describe-upstream.ts';
import {toToolName} from './upstream-name.ts';

export interface Proposal {
  readonly pin: PackPin;
  /** Names of tools that cannot be named in LumenFlow. */
  readonly leftOut: readonly string[];
}

export function proposePin(asked: PackPin, listing: UpstreamListing): Proposal {
  const {id} = asked;
  const names = listing.tools.map(({name}) => name);
  const leftOut = names.filter((name) => toToolName(id, name) === undefined);
  const tools = Object.fromEntries(
    names.filter((name) => !leftOut.includes(name)).map((name) => [name, {permission: 'admin' as const}]),
  );
  const version = versionOf(listing);
  return {
    leftOut,
    pin: {
      ...asked,
      version,
      tools,
      ...(listing.prompts && {prompts: {permission: 'admin'}}),
      ...(listing.resources && {resources: {permission: 'admin'}}),
    },
  };
}

const advice =
  ' All tools have the strictest permission and touch no file; so have prompts and resources. Give each what you want to allow:\n' +
  " {permission: read, required_scopes: [{type: path, pattern: 'docs/**', access: read}]}";

/** The text of workspace.yaml with one more pin. Comments and order stay. */
export function withPin(text: string, pin: PackPin, hints: ToolHints): string {
  return editYaml(text, (document) => {
    const node = document.createNode(pin);
    const packs = document.get('packs');
    if (isSeq(packs)) {
      packs.flow = false;
      packs.add(node);
    } else document.set('packs', document.createNode([node]));
    commentTools(node, hints);
  });
}

function commentTools(pin: unknown, hints: ToolHints): void {
  if (!isMap<Scalar<string>>(pin)) return;
  const command = pin.get('command', true);
  if (isSeq(command)) command.flow = true;
  const tools = pin.get('tools', true);
  const [entry] = pin.items.filter(({key}) => key.value === 'tools');
  if (entry) entry.key.commentBefore = advice;
  if (!isMap<Scalar<string>>(tools)) return;
  for (const {key, value} of tools.items) {
    if (!isMap(value)) continue;
    value.flow = true;
    value.comment = ` the server says: ${saysOf(hints[key.value])}`;
  }
}

function saysOf(hint: ToolHints[string] = {}): string {
  const {readOnlyHint, destructiveHint, openWorldHint} = hint;
  const does =
    readOnlyHint === true
      ? 'only reads'
      : destructiveHint === true
        ? 'writes, and can destroy'
        : readOnlyHint === false
          ? 'writes'
          : 'nothing about what it does';
  return openWorldHint === true ? `${does}, uses the network` : does;
}
