// What a shell script in a sandbox finds: `tool NAME JSON`, `search_tools`, `describe_tool` and `result JSON`. They make one request
// at a time, so a pipeline must not call two of them at once.

export const shellClient: string = String.raw`_encoded() { printf '%s' "$1" | base64 | tr -d '\n'; }
_ask() {
  printf '%s\n' "$*" >&3
  IFS=' ' read -r _status _answer <&4
  if [ "$_status" = ok ]; then printf '%s\n' "$_answer"; else printf '%s\n' "$_answer" >&2; return 1; fi
}
tool() {
  if [ $# -gt 1 ]; then _json=$2; else _json='{}'; fi
  _ask call "$(_encoded "$1")" "$(_encoded "$_json")"
}
search_tools() { _ask search_tools "$(_encoded "$1")"; }
describe_tool() { _ask describe_tool "$(_encoded "$1")"; }
result() { printf 'result %s\n' "$(_encoded "$1")" >&3; }
. "$1"
`;
