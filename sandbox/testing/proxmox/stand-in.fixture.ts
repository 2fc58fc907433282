// The program of the stand-in for Proxmox VE, in separate namespaces: it ends with its standard input, and its containers with it.
import {createLxcEngine, type LxcEngineOptions} from './lxc-engine.fixture.ts';
import {createProxmoxStandIn} from './proxmox-stand-in.fixture.ts';
import {serveProxmox} from './serve-proxmox.fixture.ts';

const options = JSON.parse(process.argv[2] ?? '') as LxcEngineOptions;

async function main(): Promise<void> {
  const standIn = createProxmoxStandIn(await createLxcEngine(options));
  const base = {unprivileged: 1, features: 'nesting=1', net0: 'name=eth0,bridge=vmbr1,ip=dhcp', memory: 512};
  standIn.state.add(options.template.id, {...base, template: 1, hostname: 'lumenflow-template'});
  // Of its user, who has nothing to do with LumenFlow.
  standIn.state.add(100, {...base, hostname: 'database', tags: 'lumenflow'});
  const {url, fingerprint, token} = await serveProxmox(standIn, {address: `${options.network}.1`, port: 8006});
  process.stdin.on('end', () => process.exit()).resume();
  process.stdout.write(`${JSON.stringify({url, fingerprint, token})}\n`);
}

void main();
