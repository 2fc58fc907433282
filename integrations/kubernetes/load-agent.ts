// Loads the agent into a container through the input of Node: an image need not contain it, so an image is never too old for its host.
const bootstrap = `
let all = Buffer.alloc(0);
process.stdin.on('data', function read(bytes) {
  all = Buffer.concat([all, bytes]);
  if (all.length < 4 || all.length < 4 + all.readUInt32BE()) return;
  process.stdin.off('data', read).pause();
  const end = 4 + all.readUInt32BE();
  if (all.length > end) process.stdin.unshift(all.subarray(end));
  const agent = new (require('node:module'))('/agent.cjs');
  agent._compile(all.toString('utf8', 4, end), '/agent.cjs');
});`;

/** An image may say nothing about where its Node is; `nodeFolder` is where the runner image has it. */
export function loaderCommand(nodeFolder: string): readonly string[] {
  const path = `PATH="$PATH:/usr/local/bin:/usr/bin:/bin:$2" exec node -e "$1"`;
  return ['/bin/sh', '-c', path, 'sh', bootstrap.trim(), nodeFolder];
}

/** The first bytes of the stream. */
export function loaderMessage(agent: Buffer): Buffer {
  const header = Buffer.alloc(4);
  header.writeUInt32BE(agent.length);
  return Buffer.concat([header, agent]);
}
