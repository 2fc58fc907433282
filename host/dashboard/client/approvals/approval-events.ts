// The events that change a list of requests. A task that ends withdraws its requests.

export const approvalEvents = /^approval_/;
