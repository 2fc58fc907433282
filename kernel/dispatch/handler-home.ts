/** Where a tool's handler runs: a thread of the host, a sandbox, or the service that the host asks. */
export type HandlerHome = 'pool' | 'sandbox' | 'service';
