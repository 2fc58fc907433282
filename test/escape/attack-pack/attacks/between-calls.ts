// Pool: what one sandboxed call leaves for the next, and calls beyond one's own authority.
import type {ToolContext} from '@lumenflow/pack-sdk';
import {saidSo, type Attack, type Attempt, type Outside, type Setting} from '../attack.ts';
import {shell} from '../native/run-program.ts';
import {talk} from '../native/talk.ts';

/** One call leaves something, the next one looks. */
const across = (name: string, title: string, attempts: readonly [Attempt, Attempt]): Attack => ({
  name,
  title,
  attempts,
  succeeded: saidSo,
});

/** Another tool called as a pack does it; where no kernel guards, its code is simply run. */
const callOf =
  (tool: string): Attempt =>
  async (setting, context) => {
    if (!setting.guarded) return shell('echo "$2" >"$1/work/marked"', setting.root, setting.marker);
    return JSON.stringify(await context.callTool(tool, {marker: setting.marker}));
  };

const marked = ({setting, read}: Outside): boolean => read(`${setting.root}/work/marked`) !== undefined;

async function sendRequest(message: object): Promise<void> {
  const {writeSync} = await import('node:fs');
  const json = Buffer.from(JSON.stringify(message));
  const header = Buffer.alloc(4);
  header.writeUInt32BE(json.length);
  writeSync(3, Buffer.concat([header, json]));
  await new Promise((resolve) => setTimeout(resolve, 300));
}

async function nest(setting: Setting, context: ToolContext): Promise<string> {
  if (!setting.guarded) return 'did it: nobody counts';
  const [name = '', depth = '0'] = setting.marker.split('#');
  if (Number(depth) >= 40) return 'did it: 40 deep';
  const marker = `${name}#${Number(depth) + 1}`;
  const output = await context.callTool('attack:try', {
    attack: 'pool/nests-without-end',
    step: 0,
    setting: {...setting, marker},
  });
  return JSON.stringify(output);
}

async function throughNetwork(setting: Setting, context: ToolContext): Promise<string> {
  const {guarded, marker, port} = setting;
  if (!guarded || marker.endsWith('#'))
    return await talk({host: '1.2.3.5', port}, `GET / HTTP/1.0\r\nX: ${marker}\r\n\r\n`);
  const nested = {attack: 'pool/nested-network', step: 0, setting: {...setting, marker: `${marker}#`}};
  return JSON.stringify(await context.callTool('attack:try-open', nested));
}

/** Has a nested call write the file, then fails: what that one wrote goes with what its caller wrote. */
const writesThenFails =
  (attack: string, path: string): Attempt =>
  async (setting, context) => {
    const {root, guarded, marker} = setting;
    if (!guarded || marker.endsWith('#'))
      shell('mkdir -p "$(dirname "$1")"; echo "$2" >"$1"', `${root}/${path}`, marker);
    else {
      const nested = {attack: `pool/${attack}`, step: 0, setting: {...setting, marker: `${marker}#`}};
      await context.callTool('attack:try', nested);
    }
    return marker.endsWith('#') ? 'written' : process.exit(7);
  };

const nestedAndFailed = (name: string, title: string, path: string): Attack => ({
  name,
  title,
  lanes: ['held'],
  attempts: [writesThenFails(name, path)],
  succeeded: ({setting, read}) => read(`${setting.root}/${path}`)?.includes(setting.marker) === true,
});

export const betweenCallsAttacks: readonly Attack[] = [
  across('left-in-tmp', 'leaves a file in /tmp for the next call', [
    ({marker}) => shell('echo "$1" >/tmp/$1', marker),
    ({marker}) => shell('cat /tmp/$1 && echo "did it"; rm -f /tmp/$1', marker),
  ]),
  across('left-in-shm', 'leaves a file in /dev/shm for the next call', [
    ({marker}) => shell('echo "$1" >/dev/shm/$1', marker),
    ({marker}) => shell('cat /dev/shm/$1 && echo "did it"; rm -f /dev/shm/$1', marker),
  ]),
  across('left-in-home', 'leaves a .profile at home for the next call', [
    ({marker}) => shell('H=/tmp/home; mkdir -p $H; echo "$1" >$H/.profile', marker),
    ({marker}) => shell('grep "$1" /tmp/home/.profile && echo "did it"; rm -rf /tmp/home', marker),
  ]),
  {
    name: 'calls-forbidden',
    title: 'calls a tool that policy denies',
    attempts: [callOf('attack:forbidden')],
    succeeded: marked,
  },
  {
    name: 'calls-beyond-itself',
    title: 'asks another tool to write where it may not itself',
    tool: 'try-narrow',
    attempts: [callOf('attack:internal')],
    succeeded: marked,
  },
  {
    name: 'calls-internal-outside',
    title: 'asks another tool to write where its own lane may not',
    lanes: ['sub'],
    attempts: [callOf('attack:internal')],
    succeeded: marked,
  },
  {
    name: 'calls-by-frame',
    title: 'calls a denied tool by a forged request',
    attempts: [
      async (setting, context) => {
        if (!setting.guarded) return await callOf('attack:forbidden')(setting, context);
        const params = {
          name: 'attack:forbidden',
          input: {marker: setting.marker},
          receipt_id: 'rcp-0',
          lane_id: 'wide',
          scope_enforced: {},
        };
        await sendRequest({type: 'request', id: 999, method: 'call_tool', params});
        return 'sent';
      },
    ],
    settleMs: 300,
    succeeded: marked,
  },
  {
    name: 'nests-without-end',
    title: 'calls itself 40 levels deep',
    attempts: [nest],
    succeeded: saidSo,
  },
  {
    name: 'nested-network',
    title: 'has another tool reach a network that it has not itself',
    attempts: [throughNetwork],
  },
  nestedAndFailed('held-nested-stays', 'has another tool write for it, then fails', 'work/marked'),
  nestedAndFailed('held-nested-trusted', 'has another tool plant a hook for it', '.git/hooks/post-merge'),
];
