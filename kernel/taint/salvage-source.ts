// What stands for the lost facts after a salvage of events. The tool cannot be a pack's: `kernel` is a reserved domain.

export const salvageSource = 'kernel:evidence-salvage';
