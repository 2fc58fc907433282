import type {SandboxBackendOptions} from '@lumenflow/schemas';

/** `security.sandbox.backends.kubernetes` */
export type KubernetesOptions = NonNullable<SandboxBackendOptions['kubernetes']>;
