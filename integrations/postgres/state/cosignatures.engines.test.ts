// Cosignatures of witnesses on several hosts: one host submits, and all serve and verify what the witness returned.
import {generateKeyPairSync} from 'node:crypto';
import {once} from 'node:events';
import {mkdtempSync, rmSync} from 'node:fs';
import {createServer, type Server} from 'node:http';
import type {AddressInfo} from 'node:net';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {noteText, parseWitnessRequest} from '@lumenflow/kernel/adapters';
import {recordsOfCall} from '@lumenflow/kernel/conformance';
import {
  noteKeyOf,
  openWorkspaceLog,
  parseWitnessKey,
  verifyWorkspaceState,
  witnessKeyOf,
  type OpenSignedLog,
  type WorkspaceState,
} from '@lumenflow/kernel/node';
import type {WitnessSettings} from '@lumenflow/schemas';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {openPostgresState} from '../open-postgres-state.ts';
import {createPostgresServer, noServer, type PostgresServer} from '../testing/create-postgres-server.ts';

const witness = witnessKeyOf('w.example', generateKeyPairSync('ed25519').privateKey);
const keys = noteKeyOf('host', generateKeyPairSync('ed25519').privateKey);

describe.skipIf(noServer !== undefined)('cosignatures', () => {
  let server: PostgresServer;
  let http: Server;
  let root: string;
  let asked = 0;
  beforeAll(async () => {
    root = mkdtempSync(join(tmpdir(), 'lumenflow-cosigned-'));
    server = await createPostgresServer();
    http = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        asked += 1;
        const {note = ''} = parseWitnessRequest(Buffer.concat(chunks).toString()) ?? {};
        response.end(witness.cosign(noteText(note) ?? '', 1_790_000_000));
      });
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
  });
  afterAll(async () => {
    http.close();
    await server.remove();
    rmSync(root, {recursive: true});
  });

  const stateFolder = (name: string): string => join(root, name, 'kernel');
  const openHost = async (name: string, url: string): Promise<{state: WorkspaceState; signed: OpenSignedLog}> => {
    const state = await openPostgresState({url});
    const address = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    const settings: WitnessSettings = {servers: [{url: address, key: witness.verifierKey}]};
    const signed = await openWorkspaceLog(state, {
      keys: {signer: keys.signer, verifierKeys: () => [keys.verifierKey]},
      witnesses: {
        settings,
        stateFolder: stateFolder(name),
        now: () => '2026-11-26T12:00:00.000Z',
        onRejected: () => undefined,
      },
    });
    return {state, signed};
  };

  test('that one host received are served and verified by every host', async () => {
    const url = await server.createDatabase();
    const one = await openHost('one', url);
    await one.state.evidence.append(recordsOfCall('r1'), {fsync: true});
    const {answers, checkpoint} = await one.signed.cosign();
    expect(answers.map(({problem}) => problem)).toEqual([undefined, undefined]);
    expect(parseWitnessKey(witness.verifierKey)?.cosignatureIn(checkpoint)).toBeDefined();
    const before = asked;

    const other = await openHost('other', url);
    const proof = await other.signed.prove('r1');
    expect(parseWitnessKey(witness.verifierKey)?.cosignatureIn(proof?.checkpoint ?? '')).toBeDefined();
    // It is cosigned already, so the other host does not ask.
    await other.signed.cosign();
    expect(asked).toBe(before);
    // A third machine, whose folder is empty.
    const report = await verifyWorkspaceState(other.state, {
      keys: [keys.verifierKey],
      witnesses: {keys: [witness.verifierKey], stateFolder: stateFolder('third')},
    });
    expect(report).toMatchObject({findings: [], status: 'verified', witnessed_records: 3});

    for (const {signed, state} of [other, one]) {
      await signed.close();
      await state.close();
    }
  });
});
