// A small assembler for classic BPF: instructions with labels in, the bytes of `struct sock_filter[]` out.

/** Operations of linux/bpf_common.h that a system call filter needs. */
const operation: {
  readonly load: number;
  readonly jumpIfEqual: number;
  readonly jumpIfAtLeast: number;
  readonly jumpIfAnyBit: number;
  readonly answer: number;
} = {
  // BPF_LD | BPF_W | BPF_ABS
  load: 0x20,
  // BPF_JMP | BPF_JEQ | BPF_K
  jumpIfEqual: 0x15,
  // BPF_JMP | BPF_JGE | BPF_K
  jumpIfAtLeast: 0x35,
  // BPF_JMP | BPF_JSET | BPF_K
  jumpIfAnyBit: 0x45,
  // BPF_RET | BPF_K
  answer: 0x06,
};

export type Line =
  | {readonly kind: 'label'; readonly name: string}
  | {readonly kind: 'load'; readonly offset: number}
  | {readonly kind: 'answer'; readonly value: number}
  /** Jumps to a label if the condition is met, otherwise to the next line, or to `otherwise`. */
  | {
      readonly kind: 'jumpIfEqual' | 'jumpIfAtLeast' | 'jumpIfAnyBit';
      readonly value: number;
      readonly to: string;
      readonly otherwise?: string;
    };

const instructionBytes = 8;
/** A jump's distance is one byte, forwards. */
const jumpMax = 255;

/** Throws RangeError for a label that is missing, behind, or too far ahead. */
export function assemble(lines: readonly Line[]): Uint8Array {
  const labels = new Map<string, number>();
  let count = 0;
  for (const line of lines) {
    if (line.kind === 'label') labels.set(line.name, count);
    else count += 1;
  }
  const distance = (from: number, label: string | undefined): number => {
    if (label === undefined) return 0;
    const jump = (labels.get(label) ?? -1) - from - 1;
    if (jump < 0 || jump > jumpMax) throw new RangeError(`label \`${label}\` is out of reach of instruction ${from}`);
    return jump;
  };
  // Machine order; every architecture this package knows is little-endian.
  const program = new DataView(new ArrayBuffer(count * instructionBytes));
  let at = 0;
  for (const line of lines) {
    if (line.kind === 'label') continue;
    const start = at * instructionBytes;
    program.setUint16(start, operation[line.kind], true);
    if ('to' in line) {
      program.setUint8(start + 2, distance(at, line.to));
      program.setUint8(start + 3, distance(at, line.otherwise));
    }
    program.setUint32(start + 4, 'offset' in line ? line.offset : line.value, true);
    at += 1;
  }
  return new Uint8Array(program.buffer);
}
