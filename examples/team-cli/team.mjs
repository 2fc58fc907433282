#!/usr/bin/env node
// How the team runs its commands: `node team.mjs words --top 5`.
const [command, ...args] = process.argv.slice(2);
process.argv = [process.argv[0], command, ...args];
const {main} = await import(`./src/${command}.mjs`);
await main();
