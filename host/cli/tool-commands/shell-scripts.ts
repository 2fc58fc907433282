// The shell scripts that complete `lumenflow`. Each calls the program with the words before the cursor.

export type Shell = 'bash' | 'zsh' | 'fish';

export const shellScripts: Readonly<Record<Shell, string>> = {
  bash: `# lumenflow completion bash: put \`source <(lumenflow completion bash)\` into ~/.bashrc
_lumenflow() {
  local IFS=$'\\n'
  COMPREPLY=($(lumenflow complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _lumenflow lumenflow`,
  zsh: `#compdef lumenflow
# lumenflow completion zsh: put \`source <(lumenflow completion zsh)\` into ~/.zshrc, behind compinit
_lumenflow() {
  local line
  local -a found
  for line in "\${(@f)$(lumenflow complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && found+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( $#found )); then _describe -t lumenflow lumenflow found; else _files; fi
}
compdef _lumenflow lumenflow`,
  fish: `# lumenflow completion fish: put \`lumenflow completion fish | source\` into ~/.config/fish/config.fish
complete -c lumenflow -f -a '(lumenflow complete -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)'`,
};
