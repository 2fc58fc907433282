// Calls a listener. An error that it throws must not fail what it is notified of, so it becomes an unhandled rejection.

export function notifyListener<T>(listener: (reported: T) => void, reported: T): void {
  try {
    listener(reported);
  } catch (error) {
    void Promise.reject(error);
  }
}
