// What a conformance suite is given: a fresh store, and a way to open adapters on it, each as a process of its own.

export interface AdapterStore<Adapter> {
  open(): Promise<Adapter>;
  /** Closes all that was opened, and removes the store. */
  remove(): Promise<void>;
}

export interface OpenAdapters<Adapter> {
  readonly name: string;
  create(): AdapterStore<Adapter>;
}
