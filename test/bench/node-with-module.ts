/** The command of baselines of cold calls: no handler runs before Node has imported its module. */
export const nodeWithModule: readonly string[] = [process.execPath, '-e', "import('data:text/javascript,')"];
