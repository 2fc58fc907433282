// The calls and tasks with which the host looks for due agent sessions. Lists fold them, because they tell operators little.

export const scheduler = 'agent-scheduler';
export const schedulerTool = 'agent-schedule:due';
