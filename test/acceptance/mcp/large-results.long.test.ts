// Results that are too long for a model, or for a message on stdio.
import type {Client} from '@modelcontextprotocol/client';
import {afterAll, beforeAll, describe, expect, it} from 'vitest';
import type {HostWorkspace} from '../../support/host-workspace.ts';
import {connectDesk, createClient, eras, makeDesk} from '../../support/mcp-desk.ts';

let desk: HostWorkspace;
beforeAll(() => {
  desk = makeDesk();
});
afterAll(() => desk.remove());

/** The recorded output, page by page. */
async function readAll(client: Client, first: string): Promise<string> {
  let text = '';
  for (let uri: string | undefined = first; uri !== undefined;) {
    const [content] = (await client.readResource({uri})).contents;
    text += content && 'text' in content ? content.text : '';
    const {_meta: meta} = content ?? {};
    uri = meta?.['lumenflow/next'] as string | undefined;
  }
  return text;
}

describe.each(eras)('a client of the %s era', (era) => {
  let client: Client;
  beforeAll(async () => {
    ({client} = await connectDesk(desk.root, createClient(era)));
  });
  afterAll(() => client.close());
  const large = (size: number) => client.callTool({name: 'desk_large', arguments: {size}});

  it('gets a long result once, with the head of its text and a link to all of it', async () => {
    const size = 2_500_000;
    const {content, structuredContent} = await large(size);
    expect(structuredContent).toEqual({text: 'x'.repeat(size)});
    const [text, link] = content;
    expect(JSON.stringify(text).length).toBeLessThan(10_000);
    const uri = link?.type === 'resource_link' ? link.uri : '';
    expect(uri).toMatch(/^evidence:\/\/output\/rcp-/);
    expect(JSON.parse(await readAll(client, uri))).toEqual({text: 'x'.repeat(size)});
    await expect(client.readResource({uri: `${uri}?offset=99999999`})).rejects.toThrow();
  });

  it('stays connected when a result is longer than a message', async () => {
    expect(await large(9_000_000)).toMatchObject({
      isError: true,
      structuredContent: {code: 'OUTPUT_TOO_LARGE', remedy: expect.stringContaining('evidence://output/')},
    });
    expect(await large(3)).toMatchObject({content: [{text: '{"text":"xxx"}'}]});
  });
});
