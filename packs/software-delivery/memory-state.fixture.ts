// The pack's states for tests, in memory. Versions change with every write, as in the host.
import {
  ToolError,
  type PackState,
  type StateExpectation,
  type StateVersion,
  type ToolContext,
} from '@lumenflow/pack-sdk';

export interface MemoryState {
  readonly state: ToolContext['state'];
  readonly stateNames: ToolContext['stateNames'];
  /** Every text by name; may be modified. */
  readonly texts: Map<string, string>;
}

export function createMemoryState(): MemoryState {
  const texts = new Map<string, string>();
  const versions = new Map<string, number>();

  function versionOf(name: string): StateVersion {
    const text = texts.get(name);
    if (text === undefined) return {version: 'none', size: 0};
    return {version: `${versions.get(name) ?? 0}-${text.length}`, size: Buffer.byteLength(text)};
  }

  function put(name: string, text: string, {expect}: StateExpectation): StateVersion {
    if (expect !== undefined && (expect ?? 'none') !== versionOf(name).version) {
      throw new ToolError('CONFLICT', `the state \`${name}\` was changed concurrently`);
    }
    versions.set(name, (versions.get(name) ?? 0) + 1);
    texts.set(name, text);
    return versionOf(name);
  }

  return {
    texts,
    stateNames: async (prefix = '') => [...texts.keys()].filter((name) => name.startsWith(prefix)).toSorted(),
    state: (name): PackState => ({
      read: async () => (texts.has(name) ? {text: texts.get(name) ?? '', ...versionOf(name)} : undefined),
      write: async (text, options = {}) => put(name, text, options),
      async lines({from = 0} = {}) {
        const text = texts.get(name) ?? '';
        // Text after the last line break is an incomplete line.
        const whole = text.slice(0, text.lastIndexOf('\n') + 1);
        const rest = Buffer.from(whole).subarray(from).toString('utf8');
        const lines = rest === '' ? [] : rest.slice(0, -1).split('\n');
        return {lines, ...versionOf(name), size: Buffer.byteLength(whole)};
      },
      async append(lines, options = {}) {
        const text = texts.get(name) ?? '';
        const whole = text.slice(0, text.lastIndexOf('\n') + 1);
        return put(name, whole + lines.map((line) => `${line}\n`).join(''), options);
      },
      async remove() {
        texts.delete(name);
      },
    }),
  };
}
