// Positions in a server's manifest, which is generated: its reader wrote the pin in workspace.yaml instead.
import type {PackPin} from '@lumenflow/schemas';

interface PinPlace {
  readonly pin: PackPin;
  readonly pinPointer: string;
  /** `workspace.yaml:line:column` of a JSON pointer. */
  locate(pointer: string): string;
}

const written = new Set(['/id', '/version']);

/** `tools`: the server's own names of the manifest's tools, in its order. */
export function locateInPin(
  {pin, pinPointer, locate}: PinPlace,
  tools: readonly string[],
): (pointer: string) => string {
  return (pointer) => {
    if (written.has(pointer)) return locate(pinPointer + pointer);
    const [, index, rest = ''] = /^\/tools\/(\d+)(\/.*)?$/u.exec(pointer) ?? [];
    const name = tools[Number(index)];
    if (name === undefined) return locate(pinPointer);
    const [, key = ''] = rest.split('/');
    const isInPin = Object.hasOwn(pin.tools?.[name] ?? {}, key);
    return locate(`${pinPointer}/tools/${escaped(name)}${isInPin ? rest : ''}`);
  };
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
