// The limits of one call: what its tool declares, lowered to the workspace's ceiling; the ceiling or a default where it declares none.
import type {LimitCeilings, LimitSource, ResourceLimits} from '@lumenflow/schemas';

export interface ResolvedLimits {
  readonly limits: Required<ResourceLimits>;
  readonly timeoutMs: number;
  /** By name, including `timeout_ms`; a limit that is not named has its default. */
  readonly from: Readonly<Record<string, LimitSource>>;
}

export interface LimitsInput {
  /** Of the tool's manifest. */
  readonly declared: ResourceLimits;
  readonly timeoutMs: number | undefined;
  readonly ceilings: LimitCeilings;
  /** Of tools that declare no `timeout_ms`. */
  readonly timeoutMsDefault: number;
}

const mebibyte = 1024 * 1024;

/** Ordinary builds pass: npm, tsc, cargo, pytest. A single call cannot take a machine of 4 GiB down. */
export const defaultLimits: Required<ResourceLimits> = {
  cpu_time_ms: 4 * 60 * 60 * 1000,
  memory_bytes: 2048 * mebibyte,
  processes: 1024,
  open_files: 16_384,
  file_size_bytes: 1024 * mebibyte,
  output_bytes: mebibyte,
  tmp_bytes: 512 * mebibyte,
  tmp_files: 65_536,
  write_bytes: 4096 * mebibyte,
  write_files: 200_000,
};

type LimitName = keyof ResourceLimits;
const names = Object.keys(defaultLimits) as LimitName[];

export function resolveLimits({declared, timeoutMs, ceilings, timeoutMsDefault}: LimitsInput): ResolvedLimits {
  const from: Record<string, LimitSource> = {};
  const resolve = (name: LimitName | 'timeout_ms', own: number | undefined, usual: number): number => {
    const ceiling = ceilings[name];
    const isLowered = ceiling !== undefined && (own === undefined || own > ceiling);
    if (isLowered) from[name] = 'workspace';
    else if (own !== undefined) from[name] = 'tool';
    return isLowered ? ceiling : (own ?? usual);
  };
  const limits = {...defaultLimits};
  for (const name of names) limits[name] = resolve(name, declared[name], defaultLimits[name]);
  return {limits, timeoutMs: resolve('timeout_ms', timeoutMs, timeoutMsDefault), from};
}
