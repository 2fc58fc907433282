// A program for tests in other packages: the stand-in for Proxmox VE, in a folder. It prints what a host needs as JSON, and ends with its
// input.
import {startProxmox} from './start-proxmox.fixture.ts';
import {workerTemplate} from './worker-template.fixture.ts';

const [folder = ''] = process.argv.slice(2);
const {template, workerKey, hostKey} = await workerTemplate(folder);
const {options, token, end} = await startProxmox(template, folder);
const pem = hostKey.privateKey.export({type: 'pkcs8', format: 'pem'}).toString();
const started = {options: {...options, worker_key: workerKey}, token, hostKey: `Name: host\n${pem}`};
process.stdout.write(`${JSON.stringify(started)}\n`);
process.stdin.on('end', () => void end()).resume();
