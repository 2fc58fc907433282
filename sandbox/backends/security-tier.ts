// What a tier requires of a backend. A backend is of the highest tier whose requirements its guarantees meet,
// and is refused for a higher one.
import type {NeededGuarantee, SecurityTier} from '@lumenflow/schemas';
import type {Guarantee, Strength} from './probe-report.ts';
import type {Capabilities} from './sandbox-backend.ts';
import type {SandboxProblem} from '../sandbox-problem.ts';

export type Guarantees = Readonly<Record<Guarantee, Strength>>;

type Requirements = Readonly<Partial<Record<Guarantee, Strength>>>;

const standard: Requirements = {
  filesystem: 'enforced',
  trusted_files: 'best_effort',
  network_off: 'enforced',
  processes: 'best_effort',
  environment: 'enforced',
  wall_time: 'best_effort',
  memory: 'best_effort',
  output: 'enforced',
};

/** The highest first. */
const requirements: readonly (readonly [SecurityTier, Requirements])[] = [
  [
    'hardened',
    {
      kernel: 'enforced',
      ...standard,
      processes: 'enforced',
      system_calls: 'enforced',
      wall_time: 'enforced',
      memory: 'enforced',
      process_count: 'enforced',
    },
  ],
  ['standard', standard],
  ['dev', {}],
];

const strengths: readonly Strength[] = ['unsupported', 'best_effort', 'enforced'];

/** How to obtain a guarantee, if changing the backend is not the only way. */
const fixes: Readonly<Partial<Record<Guarantee, string>>> = {
  kernel: 'use a backend with its own kernel, such as `gvisor`',
  memory: 'allow the host to create control groups (see `lumenflow sandbox doctor`)',
  process_count: 'allow the host to create control groups (see `lumenflow sandbox doctor`)',
};

export function tierOf(guarantees: Guarantees): SecurityTier {
  return requirements.find(([, required]) => missing(required, guarantees).length === 0)?.[0] ?? 'dev';
}

interface Candidate {
  readonly backend: string;
  readonly guarantees: Guarantees;
}

/** Undefined if the backend reaches the tier. */
export function refusal(tier: SecurityTier, {backend, guarantees}: Candidate): SandboxProblem | undefined {
  const required = requirements.find(([name]) => name === tier)?.[1];
  if (required === undefined) {
    return {message: `\`${tier}\` is not a security tier`, help: 'use `standard`, `hardened` or `dev`'};
  }
  const lacking = missing(required, guarantees);
  if (lacking.length === 0) return undefined;
  const listed = lacking.map((name) => `\`${name}\` ${required[name]} (it is ${guarantees[name]})`).join(', ');
  const ways = new Set([
    ...lacking.flatMap((name) => fixes[name] ?? []),
    `set \`security.sandbox.profile\` to \`${tierOf(guarantees)}\``,
  ]);
  return {
    message: `the backend \`${backend}\` does not reach the security tier \`${tier}\`, which requires: ${listed}`,
    help: [...ways].join(', or '),
  };
}

/** Undefined if the backend enforces all that a tool needs. */
export function unmetNeeds(
  needs: readonly NeededGuarantee[],
  {backend, guarantees}: Candidate,
): SandboxProblem | undefined {
  const lacking = needs.filter((name) => guarantees[name] !== 'enforced');
  if (lacking.length === 0) return undefined;
  const listed = lacking.map((name) => `\`${name}\` enforced (it is ${guarantees[name]})`).join(', ');
  const ways = new Set(lacking.map((name) => fixes[name] ?? 'choose another backend in `security.sandbox.backend`'));
  return {
    message: `the backend \`${backend}\` does not meet the \`needs\` of the tool: ${listed}`,
    help: [...ways].join(', or '),
  };
}

/** Why none of the backends can reach the tier on any machine; undefined if one may. */
export function unmetAnywhere(
  tier: SecurityTier,
  backends: readonly {readonly name: string; readonly capabilities: Pick<Capabilities, 'lacks'>}[],
): SandboxProblem | undefined {
  const required = requirements.find(([name]) => name === tier)?.[1] ?? {};
  const lacking = backends.map(({name, capabilities}) => ({
    name,
    lacks: capabilities.lacks.filter((guarantee) => required[guarantee] !== undefined),
  }));
  if (lacking.length === 0 || lacking.some(({lacks}) => lacks.length === 0)) return undefined;
  const listed = lacking.map(
    ({name, lacks}) => `\`${name}\` does not support ${lacks.map((one) => `\`${one}\``).join(', ')}`,
  );
  const ways = new Set(lacking.flatMap(({lacks}) => lacks.flatMap((name) => fixes[name] ?? [])));
  return {
    message: `no configured backend reaches the security tier \`${tier}\`: ${listed.join('; ')}`,
    help: [...ways, 'require a lower tier'].join(', or '),
  };
}

function missing(required: Requirements, guarantees: Guarantees): readonly Guarantee[] {
  const names = Object.keys(required) as Guarantee[];
  return names.filter(
    (name) => strengths.indexOf(guarantees[name]) < strengths.indexOf(required[name] ?? 'unsupported'),
  );
}
