/** A tool file that `lumenflow pack manifest` generates from the modules of `tools/`, if the manifest names it in `tool_files`. */
export const generatedFile = 'tools.generated.yaml';
