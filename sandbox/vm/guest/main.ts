// The agent of a virtual machine, its first process after the drivers. The guest ends with the agent, and the machine with the guest.
import {createReadStream, createWriteStream} from 'node:fs';
import {runAgent} from '../../guest/agent/run-agent.ts';
import {streamFd} from '../guest-system/first-program.ts';
import {renewMachine} from './renew-machine.ts';
import {startProgram} from './start-program.ts';

// A stream that was closed: the host no longer needs the machine, or was killed.
void runAgent({
  input: createReadStream('', {fd: streamFd, autoClose: false, highWaterMark: 256 * 1024}) as AsyncIterable<Uint8Array>,
  output: createWriteStream('', {fd: streamFd, autoClose: false}),
  files: {folder: '/files', staging: '/files/.arriving'},
  renew: renewMachine,
  startProgram,
}).then((end) => end === 'closed' && process.exit());
